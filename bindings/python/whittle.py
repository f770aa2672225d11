"""Makes a test case as small and simple as it can be while a test still finds it interesting.

One file over ctypes and libwhittle(3): nothing is compiled. The library is the one that WHITTLE_LIBRARY names, else the
one beside this file, else the installed one.

    import whittle
    small = whittle.reduce(data, lambda candidate: b"bug" in candidate)

With jobs=N, tests run in N processes of concurrent.futures, or in whatever executor is given; the result is the same at any
number of them. A loop of one's own is possible, too; verdicts may come in any order:

    with whittle.Reduction(data) as reduction:
        for candidate in reduction:
            reduction.tell(candidate, test(candidate.data))
        print(reduction.result, reduction.message)
"""

import concurrent.futures
import ctypes
import ctypes.util
import operator
import os
import types

__all__ = ["Candidate", "Error", "Reduction", "reduce", "version"]

RUNS, FIXPOINT, LIMIT, STOPPED, FAILED = range(5)
_ERRORS = {-1: "the test", -2: "an argument", -3: "the system", -4: "memory"}

_ACCEPTED = ctypes.CFUNCTYPE(None, ctypes.py_object, ctypes.c_void_p)
_STOP = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_NO_MEMORY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


class _Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("tokenizer", ctypes.c_char_p),
        ("directories", ctypes.POINTER(ctypes.c_char_p)),
        ("passes", ctypes.c_char_p),
        ("seed", ctypes.c_uint64),
        ("max_answers", ctypes.c_uint64),
        ("until_size", ctypes.c_size_t),
        ("keep_names", ctypes.c_int),
        ("journal", ctypes.c_char_p),
        ("test_id", ctypes.c_char_p),
        ("accepted", _ACCEPTED),
        ("stop", _STOP),
        ("no_memory", _NO_MEMORY),
        ("arg", ctypes.c_void_p),
        ("certify", ctypes.c_char_p),
    ]


class _Candidate(ctypes.Structure):
    _fields_ = [("ticket", ctypes.c_uint64), ("bytes", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def _load():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libwhittle.so.0")
    path = os.environ.get("WHITTLE_LIBRARY") or (beside if os.path.exists(beside) else None)
    lib = ctypes.CDLL(path or ctypes.util.find_library("whittle") or "libwhittle.so.0")
    handle, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in (
        ("open", handle, [ctypes.c_char_p, size, ctypes.POINTER(_Options), ctypes.POINTER(ctypes.c_int),
                          ctypes.c_char_p, size]),
        ("next", ctypes.c_int, [handle, ctypes.POINTER(_Candidate), size]),
        ("tell", ctypes.c_int, [handle, ctypes.c_uint64, ctypes.c_int]),
        ("wanted", ctypes.c_int, [handle, ctypes.c_uint64]),
        ("state", ctypes.c_int, [handle]),
        ("result", handle, [handle, ctypes.POINTER(size)]),
        ("answers", ctypes.c_uint64, [handle]),
        ("tests", ctypes.c_uint64, [handle]),
        ("message", ctypes.c_char_p, [handle]),
        ("free", None, [handle]),
        ("version", ctypes.c_char_p, []),
    ):
        function = getattr(lib, "whittle_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


_library = []  # loaded when first used, so that importing this needs no library


def _lib():
    if not _library:
        _library.append(_load())
    return _library[0]


def version():
    """The version of the library, as "1.2.3"."""
    return _lib().whittle_version().decode()


class Error(Exception):
    """Something failed: code is a whittle_error of whittle.h."""

    def __init__(self, code, message):
        super().__init__(message or _ERRORS.get(code, "error %d" % code))
        self.code = code


class Candidate:
    """Bytes that are to be judged, and the ticket under which Reduction.tell takes the verdict."""

    __slots__ = ("ticket", "data")

    def __init__(self, ticket, data):
        self.ticket, self.data = ticket, data


def _text(value):
    text = None if value is None else os.fsencode(value)
    if text and b"\0" in text:  # where it would end for the library
        raise ValueError("a NUL is in %r" % (value,))
    return text


def _number(name, value, kind):
    """An int that fits: ctypes cuts off silently what does not."""
    if kind(operator.index(value)).value != operator.index(value):
        raise ValueError("%s: %d is out of range" % (name, value))
    return operator.index(value)


def _listen(accepted, raised):
    """Calls accepted with the result of each reduction that is sent. What is raised cannot pass through the library: ctypes
    would print it and go on. That includes the KeyboardInterrupt of Ctrl-C while the library works, which comes at the
    first bytecode that runs afterwards. In a function that is one before any try; a generator is resumed inside of it."""
    while True:
        try:
            while True:
                handle = yield
                if not raised:
                    accepted(Reduction._result(handle))
        except GeneratorExit:  # this is let go of
            raise
        except BaseException as error:
            raised.append(error)


class Reduction:
    """A reduction of bytes that the test is known to find interesting.

    Options: name (a file name, by which the language is known), tokenizer, directories, passes, seed, max_answers,
    until_size, keep_names, journal, test_id, certify, as in struct whittle_options; accepted(data) hears of each success,
    and what it raises is raised by the call of next or tell during which it happened; the reduction can still be used.
    It is the same with Ctrl-C while the library works; of a success at that moment accepted may not hear. The library is in
    the middle of its work then: whatever accepted does with this reduction, be it close, is a RuntimeError.

    Use a reduction in one thread at a time.
    """

    _handle = None

    def __init__(self, data, *, name=None, tokenizer=None, directories=None, passes=None, seed=0, max_answers=0,
                 until_size=0, keep_names=False, journal=None, test_id=None, accepted=None, certify=None):
        data = bytes(memoryview(data))  # bytes(5) would be five NULs
        names = [_text(d) for d in directories or ()]
        self._directories = (ctypes.c_char_p * (len(names) + 1))(*names, None)
        self._raised = []  # by accepted
        self._listener = _listen(accepted, self._raised)
        next(self._listener)
        # No code in Python comes before that of the generator, which is the arg of the callback.
        self._accepted = _ACCEPTED(types.GeneratorType.send) if accepted else _ACCEPTED()
        options = _Options(
            struct_size=ctypes.sizeof(_Options), name=_text(name), tokenizer=_text(tokenizer), passes=_text(passes),
            seed=_number("seed", seed, ctypes.c_uint64), keep_names=bool(keep_names),
            max_answers=_number("max_answers", max_answers, ctypes.c_uint64),
            until_size=_number("until_size", until_size, ctypes.c_size_t),
            journal=_text(journal), test_id=_text(test_id), accepted=self._accepted, arg=id(self._listener),
            certify=_text(certify))
        if names:
            options.directories = self._directories
        error, message = ctypes.c_int(0), ctypes.create_string_buffer(2048)
        self._handle = _lib().whittle_open(data, len(data), ctypes.byref(options), ctypes.byref(error), message,
                                           len(message))
        if not self._handle:
            raise Error(error.value, message.value.decode(errors="replace"))
        self._out = set()
        self._raise()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def __reduce_ex__(self, protocol):  # of copy, too: both would free the same
        raise TypeError("a reduction can neither be copied nor pickled")

    def close(self):
        """Lets go of everything; candidates that are out are forgotten."""
        if self._handle and self._open_handle():
            free = _lib().whittle_free
            handle, self._handle = self._handle, None  # first: Ctrl-C may come before the call returns
            free(handle)

    def _open_handle(self):
        if not self._handle:
            raise ValueError("the reduction is closed")
        if self._listener.gi_running:
            raise RuntimeError("accepted was called by this reduction and cannot use it")
        return self._handle

    def _check(self, code):
        if code < 0:
            raise Error(code, _lib().whittle_message(self._handle).decode(errors="replace"))
        return code

    def _raise(self):
        if self._raised:
            raise self._raised.pop()

    @staticmethod
    def _result(handle):
        size = ctypes.c_size_t()
        at = _lib().whittle_result(handle, ctypes.byref(size))
        return ctypes.string_at(at, size.value)

    def next(self, n=1):
        """Up to n further candidates; none while verdicts are awaited, or at the end."""
        n = _number("n", n, ctypes.c_size_t)
        out = (_Candidate * max(n, 1))()
        try:
            count = self._check(_lib().whittle_next(self._open_handle(), out, n))
            self._raise()
            candidates = [Candidate(c.ticket, ctypes.string_at(c.bytes, c.size)) for c in out[:count]]
            self._out.update(c.ticket for c in candidates)
            return candidates
        except BaseException:  # of accepted, or Ctrl-C
            for c in out:
                if c.bytes:  # nobody gets it now: it is handed out again
                    _lib().whittle_tell(self._handle, c.ticket, -1)
                    self._out.discard(c.ticket)
            raise

    def tell(self, candidate, interesting):
        """The verdict on a candidate; None: it was not judged. It counts even if accepted raises something, or Ctrl-C."""
        verdict = -1 if interesting is None else int(bool(interesting))
        code = _lib().whittle_tell(self._open_handle(), candidate.ticket, verdict)
        if code == -2 and self.state != FAILED:
            raise Error(code, "candidate %d is not out" % candidate.ticket)
        self._check(code)
        self._out.discard(candidate.ticket)
        self._raise()

    def wanted(self, candidate):
        """Whether the verdict can still matter."""
        return bool(_lib().whittle_wanted(self._open_handle(), candidate.ticket))

    def __iter__(self):
        """One candidate after the other until the end. Several may be out at a time, as long as they are told."""
        while True:
            candidates = self.next()
            if candidates:
                yield candidates[0]
            elif self.state != RUNS:
                return
            else:
                raise RuntimeError("no candidate is left before one of the %d that are out is told" % len(self._out))

    @property
    def state(self):
        return _lib().whittle_state(self._open_handle())

    @property
    def result(self):
        """The smallest bytes so far."""
        return self._result(self._open_handle())

    @property
    def message(self):
        """At the fixpoint what was verified."""
        return _lib().whittle_message(self._open_handle()).decode(errors="replace")

    @property
    def answers(self):
        return _lib().whittle_answers(self._open_handle())

    @property
    def tests(self):
        return _lib().whittle_tests(self._open_handle())


def _judge_all(reduction, executor, test, jobs):
    """Keeps up to jobs tests running until the end."""
    running = {}
    while True:
        for candidate in reduction.next(jobs - len(running)) if len(running) < jobs else ():
            running[executor.submit(test, candidate.data)] = candidate
        if reduction.state != RUNS or not running:
            break
        done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
        for future in done:
            reduction.tell(running.pop(future), bool(future.result()))
        for future, candidate in list(running.items()):
            if not reduction.wanted(candidate) and future.cancel():
                reduction.tell(running.pop(future), None)
    for future in running:
        future.cancel()


def reduce(data, test, *, jobs=None, executor=None, **options):
    """The smallest bytes that are found from data on for which test(bytes) is true, as `if` sees it: None is not.

    jobs: how many tests run at a time, in processes (so test is a function of a module). executor: what runs them instead;
    anything with submit() as in concurrent.futures. Options: those of Reduction.
    """
    if jobs is not None and operator.index(jobs) < 1:
        raise ValueError("jobs: %d is out of range" % jobs)
    if not test(data):
        raise Error(-1, "the test is not interesting on the original")
    with Reduction(data, **options) as reduction:
        if executor is not None:
            _judge_all(reduction, executor, test, jobs or os.cpu_count() or 1)
        elif jobs is not None and jobs > 1:
            with concurrent.futures.ProcessPoolExecutor(jobs) as processes:
                _judge_all(reduction, processes, test, jobs)
        else:
            for candidate in reduction:
                reduction.tell(candidate, bool(test(candidate.data)))
        return reduction.result
