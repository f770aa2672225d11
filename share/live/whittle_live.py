"""A test for whittle --persistent in Python (whittle-live(7)).

    import whittle_live
    def interesting(path):          # further operands: further arguments
        return b'bug' in open(path, 'rb').read()
    whittle_live.main(interesting)

True or 0 is interesting, False or another number is not (it is the status, or 1 if it cannot be
one); an exception is not. With paths as arguments it judges once and exits, as a plain test does.
"""
import contextlib
import os
import sys
import traceback


def _status(judge, paths):
    try:
        answer = judge(*paths)
        return int(not answer) if isinstance(answer, bool) else int(answer) if answer in range(256) else 1
    except SystemExit as end:
        return end.code & 255 if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1


def main(judge):
    if len(sys.argv) > 1:
        sys.exit(_status(judge, sys.argv[1:]))
    # Names are bytes, as in sys.argv, and only a newline ends a question.
    questions = os.fdopen(os.dup(0), encoding=sys.getfilesystemencoding(), errors='surrogateescape', newline='\n')
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what the judge reads and prints is no part of the protocol
    for line in questions:
        status = _status(judge, line.rstrip('\n').split('\t'))
        with contextlib.suppress(Exception):  # the judge may have closed or replaced it
            sys.stdout.flush()
        os.write(answers, b'%d\n' % status)
