import asyncio

import pytest

from textspace.service._batches import BATCH_TEXTS, Batches


def work(calls):
    """Send calls at the same time; give what each got, and the sizes of the batches."""
    batches = []

    def predict(calls):
        batches.append(sum(len(texts) for texts, _, _ in calls))
        if any("bad" in texts for texts, _, _ in calls):
            raise ValueError("bad")
        return [[(text, top) for text in texts] for texts, top, _ in calls]

    async def in_thread(work, *arguments):
        await asyncio.sleep(0.01)  # the others arrive meanwhile
        return work(*arguments)

    async def run():
        classify = Batches(predict, in_thread, in_thread)
        tasks = [asyncio.create_task(classify(*call)) for call in calls]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)
        assert classify._quick._is_idle
        assert classify._slow._is_idle
        return results

    return asyncio.run(run()), batches


def test_everyone_gets_the_own_answer():
    calls = [([f"{i}-{j}" for j in range(i % 5 + 1)], i, None) for i in range(100)]
    results, batches = work(calls)
    assert results == [[(text, top) for text in texts] for texts, top, _ in calls]
    assert max(batches) <= BATCH_TEXTS
    assert len(batches) < 15  # instead of 100


def test_short_call_passes_a_long_one():
    done = []

    async def run():
        async def in_thread(work, *arguments):
            await asyncio.sleep(0)
            return work(*arguments)

        classify = Batches(lambda calls: [list(texts) for texts, _, _ in calls], in_thread, in_thread)

        async def call(name, texts):
            await classify(texts, 1, None)
            done.append(name)

        await asyncio.gather(call("long", ["x"] * 1000), call("short", ["x"]))

    asyncio.run(run())
    assert done == ["short", "long"]


@pytest.mark.parametrize("heavy", [["x"] * 1000, ["long " * 3000]], ids=["many texts", "a long text"])
def test_short_calls_pass_however_many_heavy_ones_wait(heavy):
    async def run():
        never = asyncio.Event()

        async def in_quick(work, *arguments):
            return work(*arguments)

        async def in_slow(work, *arguments):
            await never.wait()

        classify = Batches(lambda calls: [list(texts) for texts, _, _ in calls], in_quick, in_slow)
        waiting = [asyncio.create_task(classify(heavy, 1, None)) for _ in range(20)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(classify(["a", "b"], 1, None), 10) == ["a", "b"]
        assert not any(task.done() for task in waiting)
        for task in waiting:
            task.cancel()

    asyncio.run(run())


def test_bad_call_spoils_no_other():
    results, _ = work([(["a"], 1, None), (["b"], 2, None), (["bad"], 3, None), (["c"], 4, None)])
    assert results[:2] + results[3:] == [[("a", 1)], [("b", 2)], [("c", 4)]]
    assert isinstance(results[2], ValueError)


def test_call_that_is_given_up_does_not_stop_the_others():
    async def run():
        async def in_thread(work, *arguments):
            await asyncio.sleep(0.02)
            return work(*arguments)

        classify = Batches(lambda calls: [list(texts) for texts, _, _ in calls], in_thread, in_thread)
        tasks = [asyncio.create_task(classify([name], 1, None)) for name in "abcd"]
        await asyncio.sleep(0.01)
        tasks[0].cancel()  # at work
        tasks[2].cancel()  # waiting
        return await asyncio.gather(*tasks, return_exceptions=True)

    results = asyncio.run(run())
    assert [results[1], results[3]] == [["b"], ["d"]]
    assert all(isinstance(results[i], asyncio.CancelledError) for i in (0, 2))
