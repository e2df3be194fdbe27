// What was packed into the page, unpacked.
// Here: base64 and gzip -> bytes, lines, objects. Never: what they mean.

const NEWLINE = 10;

async function unpacked(id) {
  const packed = bytesOf(by(id).textContent);
  by(id).remove(); // twice in memory is once too often
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64); // in browsers since 2025
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

// Each line as bytes, without its end; they share the memory of the whole.
function linesOf(bytes) {
  const lines = [];
  for (let from = 0, to; from < bytes.length; from = to + 1) {
    to = bytes.indexOf(NEWLINE, from);
    if (to < 0) to = bytes.length;
    if (to > from) lines.push(bytes.subarray(from, to));
  }
  return lines;
}

async function readSteps() {
  const text = decoded(await unpacked("steps")).trimEnd();
  return JSON.parse(`[${text.replaceAll("\n", ",")}]`);
}

// Whether the record could be read; it is when it is first asked for.
function recordRead() {
  page.reading ??= readRecord();
  return page.reading;
}

async function readRecord() {
  try {
    page.record = await unpacked("record");
    page.lines = linesOf(page.record);
  } catch {
    trouble("unreadable");
    return false;
  }
  return true;
}

// The event with this seq as it stands in the record; null if it does not.
function eventAt(seq) {
  const first = parsed(page.lines[0])?.seq ?? 1;
  const found = page.lines[seq - first] ? parsed(page.lines[seq - first]) : null;
  return found?.seq === seq ? found : null;
}
