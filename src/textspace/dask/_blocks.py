"""Blocks of a data set on the workers of a Dask cluster, and passes over them."""

from collections import defaultdict
from concurrent.futures import CancelledError
from itertools import chain
from operator import getitem

import dask
import numpy as np
from dask import delayed
from dask.sizeof import sizeof
from distributed import Future, wait
from distributed.scheduler import KilledWorker
from scipy import sparse

_FAN_IN = 4  # partial sums that one task adds
_ATTEMPTS = 3
# Dask warns where data travels inside tasks; here it does so that it can be had again
_QUIETLY = {"distributed.admin.large-graph-warning-threshold": "4GB"}


@sizeof.register(sparse.sparray)
def _size_of_sparse(X):
    """Bytes of a sparse array, by which the scheduler decides where a task goes; Dask knows matrices only."""
    return sum(each.nbytes for each in vars(X).values() if isinstance(each, np.ndarray))


class Blocks:
    """Blocks of a data set, held by the workers. Functions are applied to each, and their results summed.

    The blocks stand in groups, one for each thread of the workers. A group is made where its blocks are
    already, if it can be. A pass is one task for each group: what it needs travels to each worker once, and
    what it gives is summed there before it travels. All that the workers hold can be computed again from the
    tasks that made it. When a worker is lost, the scheduler does so, and the sums and their order stay.

    A block is a Delayed or a Future that gives any object. Futures are waited for, and stay where they are.
    `sources` are keys of what the blocks are made of: a block goes to the worker that holds its source, if
    one does.
    """

    def __init__(self, client, blocks, sources=None):
        self.client = client
        if isinstance(blocks[0], Future):
            wait(blocks)
            sources = [each.key for each in blocks]
        self._plan = _make_groups(client, sources or [None] * len(blocks))
        self._made = [delayed(_together)(*(blocks[i] for i in members)) for _, members in self._plan]
        self._groups = self._place()

    def map(self, function, *small):
        """Give ``function(block, *small)`` of each block in a list; `small` goes to each worker once."""

        def submit():
            sent = [self.send(each) for each in small]
            return [self.client.submit(_map_group, function, group, *sent) for group in self._groups]

        found = chain.from_iterable(self._outcome(submit))
        order = chain.from_iterable(members for _, members in self._plan)
        return [each for _, each in sorted(zip(order, found, strict=True), key=lambda pair: pair[0])]

    def map_each(self, function, arguments):
        """Sum what ``function(block, argument)`` gives, with an argument of its own for each block."""

        def submit():
            return self._sum(
                [
                    self.client.submit(
                        _sum_group, function, group, [(arguments[i],) for i in members], pure=False
                    )
                    for group, (_, members) in zip(self._groups, self._plan, strict=True)
                ]
            )

        return self._outcome(submit)

    def map_sum(self, function, *small):
        """Sum what ``function(block, *small)`` gives: an array, a Counter, or a tuple of such."""

        def submit():
            sent = [self.send(each) for each in small]
            return self._sum(
                [
                    self.client.submit(_sum_group, function, group, None, *sent, pure=False)
                    for group in self._groups
                ]
            )

        return self._outcome(submit)

    def exchange(self, function, n_targets, *small):
        """Cut each block by target, and bring what belongs to one target to one worker.

        ``function(block, *small)`` returns a list of `n_targets` objects. Give for each target the futures of
        what each block has for it, in the order of the blocks. One worker holds it, as by :meth:`submit_to`,
        and no other does.
        """
        sent = [self.send(each) for each in small]
        targets = [[None] * sum(len(members) for _, members in self._plan) for _ in range(n_targets)]
        for number, (group, (_, members)) in enumerate(zip(self._groups, self._plan, strict=True)):
            for place, block in enumerate(members):
                cut = self.submit_to(number, _apply_to_one, function, group, place, *sent)
                for target, arrived in enumerate(targets):
                    leaving = self.submit_to(number, getitem, cut, target)
                    # where it is cut it can be forgotten as soon as this task has it
                    arrived[block] = self.submit_to(target, _given, leaving)
        return targets

    def submit_to(self, group, function, *arguments):
        """Submit ``function(*arguments)`` to the worker of a group.

        Group numbers beyond the last start again at the first. Futures among the arguments, or in lists among
        them, are replaced by their results.
        """
        home = self._plan[group % len(self._plan)][0]
        # without leave to go elsewhere the task would be lost with its worker
        return self.client.submit(function, *arguments, workers=[home], allow_other_workers=True, pure=False)

    def held(self, *, keep=False):
        """Give each block, for further tasks, and the key of what the workers hold, for `sources`.

        With `keep` the workers hold the blocks as long as the result lives, and not only as long as this
        object does.
        """
        places = {
            block: (group, place)
            for group, (_, members) in zip(self._groups if keep else self._made, self._plan, strict=True)
            for place, block in enumerate(members)
        }
        return [
            (delayed(getitem)(group, place), group.key)
            for group, place in (places[block] for block in range(len(places)))
        ]

    def release(self):
        """Let the workers forget the blocks; what was made of them can be made again."""
        self._groups = None

    def send(self, small):
        """Make a task of a small object: it travels to each worker once, and is made again if it is lost."""
        with dask.config.set(_QUIETLY):
            return self.client.submit(_given, small, pure=False)

    @property
    def n_groups(self):
        """Number of groups, each of which one thread works on."""
        return len(self._groups)

    def _place(self):
        """Let the workers compute the blocks and hold them, one task a group."""
        return [
            self.client.compute(made, workers=[home], allow_other_workers=True)
            for made, (home, _) in zip(self._made, self._plan, strict=True)
        ]

    def _sum(self, sums):
        """Add partial sums: those of one worker first, then a few at a time."""
        by_home = defaultdict(list)
        for each, (home, _) in zip(sums, self._plan, strict=True):
            by_home[home].append(each)
        sums = [self._add(each) for each in by_home.values()]
        while len(sums) > 1:
            sums = [self._add(sums[i : i + _FAN_IN]) for i in range(0, len(sums), _FAN_IN)]
        return sums[0]

    def _add(self, sums):
        return sums[0] if len(sums) == 1 else self.client.submit(_add_all, *sums, pure=False)

    def _outcome(self, submit):
        """Wait for a pass; try again if workers were lost beyond what the scheduler mends by itself."""
        for _ in range(_ATTEMPTS):
            try:
                with dask.config.set(_QUIETLY):
                    return self.client.gather(submit())
            except (KilledWorker, CancelledError) as error:
                reason = error
                self._groups = None  # so that the scheduler forgets what failed
                self._groups = self._place()
        raise RuntimeError(
            f"a pass over the blocks failed {_ATTEMPTS} times because workers were lost ({reason}): give the "
            "workers more memory, or make the blocks smaller."
        ) from reason


def _make_groups(client, sources):
    """Put blocks into groups, one for each thread: where they are held, but on no worker more than its share.

    After a worker was lost, the others hold what was its own. Gives pairs: a worker's address, and the
    numbers of the blocks of a group.
    """
    threads, holders = dict(sorted(client.nthreads().items())), client.who_has()
    room = {home: -(-len(sources) * each // sum(threads.values())) for home, each in threads.items()}
    members, free = {home: [] for home in threads}, []
    for block, source in enumerate(sources):
        homes = (home for home in holders.get(source, ()) if len(members.get(home, ())) < room.get(home, 0))
        members.get(next(homes, None), free).append(block)
    for home, mine in members.items():
        n_more = room[home] - len(mine)
        mine += free[:n_more]
        free = free[n_more:]
    groups = [
        (home, share.tolist())
        for home, each in threads.items()
        for share in np.array_split(np.array(sorted(members[home]), dtype=int), each)
    ]
    return [(home, share) for home, share in groups if share]


def _together(*blocks):
    return list(blocks)


def _given(small):
    return small


def _apply_to_one(function, group, place, *small):
    return function(group[place], *small)


def _map_group(function, group, *small):
    return [function(block, *small) for block in group]


def _sum_group(function, group, own, *small):
    arguments = [small] * len(group) if own is None else own
    total = None
    for block, each in zip(group, arguments, strict=True):
        found = function(block, *each)
        total = found if total is None else _plus(total, found)
    return total


def _add_all(*sums):
    total = sums[0]
    for each in sums[1:]:
        total = _plus(total, each)
    return total


def _plus(left, right):
    if isinstance(left, tuple):
        return tuple(_plus(*pair) for pair in zip(left, right, strict=True))
    return left + right
