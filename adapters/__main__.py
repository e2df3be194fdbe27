"""`python -m adapters` is `rollbook`. Thin, so that Ctrl-C while everything else is loaded ends quietly too."""

import signal
import sys


def main() -> None:
    """Run the command line. It is loaded only here: that takes a moment in which somebody may press Ctrl-C."""
    if sys.argv[1:2] == ["serve"]:  # told to end before it has begun: there is nothing to lose yet
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        from adapters.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
