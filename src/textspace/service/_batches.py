"""Texts in batches: long calls are divided, short calls that wait at the same time are joined."""

import asyncio
from collections import deque

BATCH_TEXTS = 32
_BATCH_CHARACTERS = 100_000
_QUICK_CHARACTERS = 10_000  # of a batch that takes a few milliseconds


class Batches:
    """Predictions for many calls at a time.

    To classify many texts at once takes little longer than to classify one. So the calls that came in while
    a thread was busy are answered together: under load the service needs less time for each. A call with
    many texts is queued batch by batch. Batches that are full or long have a queue and a thread of their own,
    so that however many there are, calls with few short texts pass them.

    ``predict`` takes a list of calls (texts, top, min_confidence) and gives a list of lists. ``in_quick`` and
    ``in_slow`` are coroutine functions that run a function in the thread of short and of other batches.
    """

    def __init__(self, predict, in_quick, in_slow):
        self._quick, self._slow = _Queue(predict, in_quick), _Queue(predict, in_slow)

    async def __call__(self, texts, top, min_confidence):
        """Give the predictions of one call, a list of one dict a text."""
        predictions = []
        for batch in divide(texts):
            is_quick = len(batch) < BATCH_TEXTS and sum(map(len, batch)) <= _QUICK_CHARACTERS
            queue = self._quick if is_quick else self._slow
            predictions += await queue.answer((batch, top, min_confidence))
        return predictions


class _Queue:
    """Calls that wait for one thread."""

    def __init__(self, predict, in_thread):
        self._predict = predict
        self._in_thread = in_thread
        self._is_idle = True
        self._waiting = deque()

    async def answer(self, call):
        """Give the predictions of a call, after those that wait."""
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append((call, answer))
        if self._is_idle:
            self._is_idle = False
            asyncio.create_task(self._answer_waiting())  # noqa: RUF006 - the answer that is awaited keeps it
        return await answer

    async def _answer_waiting(self):
        try:
            while self._waiting:
                calls, answers = zip(*self._take(), strict=True)
                for answer, result in zip(answers, await self._results(list(calls)), strict=True):
                    if answer.done():  # the client has gone, or its time was over
                        continue
                    if isinstance(result, Exception):
                        answer.set_exception(result)
                    else:
                        answer.set_result(result)
        finally:
            self._is_idle = True

    def _take(self):
        """Take calls from the queue that are one batch together."""
        taken = [self._waiting.popleft()]
        n_texts = len(taken[0][0][0])
        while self._waiting and n_texts + len(self._waiting[0][0][0]) <= BATCH_TEXTS:
            taken.append(self._waiting.popleft())
            n_texts += len(taken[-1][0][0])
        return [(call, answer) for call, answer in taken if not answer.done()] or taken

    async def _results(self, calls):
        """Give the result of each call, or the exception that it raised."""
        try:
            return await self._in_thread(self._predict, calls)
        except Exception as error:
            if len(calls) == 1:
                return [error]
        # one of them is at fault: the others must not suffer
        return [result for call in calls for result in await self._results([call])]


def divide(texts):
    """Cut a list of texts into lists of consecutive texts that take little time each.

    >>> [len(batch) for batch in divide(["short"] * 40 + ["long" * 30_000] * 2)]
    [32, 9, 1]
    """
    batch, characters = [], 0
    for text in texts:
        batch.append(text)
        characters += len(text)
        if len(batch) == BATCH_TEXTS or characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
