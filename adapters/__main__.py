"""`python -m adapters` is `rollbook`. Thin, so that Ctrl-C while everything else is loaded ends quietly too."""

import os
import signal
import sys


def main() -> None:
    """Run the command line. It is loaded only here: that takes a moment in which somebody may press Ctrl-C.

    There is nothing to lose yet, so it ends at once: an exception in the middle of an import can be lost on its way.
    """
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    serves = sys.argv[1:2] == ["serve"]
    if serves:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    from adapters.cli import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    if serves:  # until it has a loop that ends in order
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
