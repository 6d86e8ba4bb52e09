"""Texts in batches: long calls are divided, short calls that wait at the same time are joined."""

import asyncio
from collections import deque

BATCH_TEXTS = 32
_BATCH_CHARACTERS = 100_000


class Batches:
    """Predictions for many calls at a time.

    To classify many texts at once takes little longer than to classify one. So the calls that came in while
    the threads were busy are answered together: under load the service needs less time for each. A call with
    many texts is queued batch by batch, so that other calls need not wait for all of it.

    ``predict`` takes a list of calls (texts, top, min_confidence) and gives a list of lists. ``in_thread`` is
    a coroutine function that runs a function in a thread; at most `n_threads` batches are at work at a time.
    """

    def __init__(self, predict, in_thread, n_threads):
        self._predict = predict
        self._in_thread = in_thread
        self._n_idle = n_threads
        self._waiting = deque()

    async def __call__(self, texts, top, min_confidence):
        """Give the predictions of one call, a list of one dict a text."""
        predictions = []
        for batch in divide(texts):
            answer = asyncio.get_running_loop().create_future()
            self._waiting.append(((batch, top, min_confidence), answer))
            if self._n_idle:
                self._n_idle -= 1
                asyncio.create_task(self._answer_waiting())  # noqa: RUF006 - the answer that is awaited keeps it
            predictions += await answer
        return predictions

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
            self._n_idle += 1

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
