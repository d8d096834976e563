"""Fine-tune the encoder as a recall judge, and score prompts of authors that it did not see."""

import gzip
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import Tensor

from training.network import Tables
from training.recall_model import Judge, judge_loss, list_loss, signals

__all__ = ["DEVICE", "Data", "Options", "chat_recall", "scored", "trained"]

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
_VOCABULARY = 30_522
_LONGEST_PASSAGE = 128
_PROJECT = 2
"""Kinds from this number on speak of one project: they never fit a prompt of another."""

_CHAT_QUERIES, _CHAT_DOCUMENTS = 24, 96
_SHARPNESS = 20.0
_TOLD = (20, 200)
"""Steps after which the time is told: whoever waits learns how long."""


@dataclass(frozen=True)
class Options:
    """How training is done; the defaults are what was shipped."""

    steps: int = 700
    stores: int = 4
    """Stores a step."""
    prompts: int = 12
    """Prompts of each of them."""
    rate: float = 7e-5
    head_rate: float = 1e-3
    warm_up: int = 40
    dropout: float = 0.1
    word_dropout: float = 0.05
    fine: float = 0.5
    """What a memory that may be shown counts, between noise and one that should be."""
    foreign: float = 0.0
    """Share of stores whose prompts meet the memories of another store."""
    chat: float = 0.5
    """Share of steps that see public chats too, so that what the encoder knew is kept."""
    keep: float = 1.0
    """Weight of ordering those chats as the untrained encoder does."""


class Data:
    """Stores and chats as tables on the device."""

    def __init__(self, path: str) -> None:
        """Read what `recall_data` wrote."""
        with gzip.open(path, "rt", encoding="utf-8") as file:
            data = json.load(file)
        self.stores = [_Store(row) for row in data["stores"]]
        self.chats = [_Chat(row) for row in data["chat"]]

    @property
    def authors(self) -> list[str]:
        """Who wrote the stores."""
        return sorted({store.author for store in self.stores})


class _Store:
    """One store with its prompts."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.group, self.author = row["group"], row["author"]
        passages = [one["passages"] for one in row["memories"]]
        self.first = [_cut(one[0]) for one in passages]
        self.all = [text for one in passages for text in one]
        self.owners = [number for number, one in enumerate(passages) for _ in one]
        self.kinds = torch.tensor([one["kind"] for one in row["memories"]], device=DEVICE)
        self.prompts = [one["pieces"] for one in row["prompts"]]
        labels = np.zeros((len(row["prompts"]), len(passages)), "i8")
        for number, one in enumerate(row["prompts"]):
            labels[number, one["fine"]] = 2
            labels[number, one["gold"]] = 1
        self.labels = torch.tensor(labels, device=DEVICE)
        self.rarity = _rarity([{piece for text in one for piece in text[1:-1]} for one in passages])


class _Chat:
    """One public store of chat lines with its queries."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.task, self.queries = row["task"], row["queries"]
        self.documents = row["documents"]
        self.prompts = [one["pieces"] for one in row["queries"]]
        self.known: tuple[Tensor, ...] = ()
        """How near queries and lines lie by the untrained encoder: the cosine, and pieces both ways."""
        self.rarity = _rarity([set(text[1:-1]) for text in row["documents"]])
        self.trained = [number for number, one in enumerate(row["queries"]) if not one["held"]]
        self.held = [number for number, one in enumerate(row["queries"]) if one["held"]]


def trained(data: Data, tables: Tables, options: Options, without: str, seed: int) -> Judge:
    """Return a judge that saw the stores of all authors but one; of no author, all."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    judge = Judge(tables, options.dropout).to(DEVICE)
    stores = [store for store in data.stores if store.author != without]
    chats = [chat for chat in data.chats if chat.trained]
    if options.keep:
        _remember(chats, tables)
    optimizer, rates = _optimizer(judge, options)
    begun, losses = time.time(), []
    judge.train()
    for step in range(options.steps):
        share = min(1.0, (step + 1) / options.warm_up) * max(0.02, 1 - step / options.steps)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            loss = _coding_loss(judge, stores, options, chance)
            if chats and chance.random() < options.chat:
                loss = loss + _chat_loss(judge, chance.choice(chats), options, chance)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(loss.detach())
        if step in _TOLD:
            print(f"without {without} seed {seed}: step {step}, {time.time() - begun:.0f} s", flush=True)
    first, last = (float(torch.stack(part).mean()) for part in (losses[:50], losses[-50:]))
    print(
        f"without {without or '-'} seed {seed}: {time.time() - begun:.0f} s, loss {first:.3f} -> {last:.3f}",
        flush=True,
    )
    return judge


def _optimizer(judge: Judge, options: Options) -> tuple[torch.optim.Optimizer, list[float]]:
    body = list(judge.encoder.parameters())
    head = [judge.mix, *judge.nothing.parameters()]
    groups = [
        {"params": body, "lr": options.rate, "weight_decay": 0.01},
        {"params": head, "lr": options.head_rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, fused=DEVICE == "cuda"), [options.rate, options.head_rate]


def _coding_loss(judge: Judge, stores: list[_Store], options: Options, chance: random.Random) -> Tensor:
    """Return the mean loss over some stores, read in two passes: all prompts, all memories."""
    some = [chance.choices(stores, [len(store.labels) for store in stores])[0] for _ in range(options.stores)]
    met = [chance.choice(stores) if chance.random() < options.foreign else store for store in some]
    picked = [
        chance.sample(range(len(store.labels)), min(options.prompts, len(store.labels))) for store in some
    ]
    asked = [store.prompts[row] for store, rows in zip(some, picked, strict=True) for row in rows]
    prompts = judge.read(asked, options.word_dropout)
    texts = judge.read([text for store in met for text in store.first])
    nothing = judge.nothing_of(prompts)
    losses, at, place = [], 0, 0
    for store, other, rows in zip(some, met, picked, strict=True):
        end, last = at + len(rows), place + len(other.kinds)
        mine, theirs = prompts.part(at, end, other.rarity), texts.part(place, last, other.rarity)
        scores = judge.near(signals(mine, theirs)) - nothing[at:end, None]
        labels = store.labels[rows] if other is store else _foreign_labels(other).expand(len(rows), -1)
        losses.append(judge_loss(scores.float(), labels, options.fine))
        at, place = end, last
    return torch.stack(losses).mean()


def _chat_loss(judge: Judge, chat: _Chat, options: Options, chance: random.Random) -> Tensor:
    """Return the loss of the order of some lines of a chat for some of its queries."""
    rows = chance.sample(chat.trained, min(_CHAT_QUERIES, len(chat.trained)))
    needed = {one for row in rows for one in chat.queries[row]["gold"]}
    others = chance.sample(range(len(chat.documents)), min(_CHAT_DOCUMENTS, len(chat.documents)))
    lines = sorted(needed | set(others))
    wanted = torch.zeros(len(rows), len(lines), device=DEVICE)
    place = {line: number for number, line in enumerate(lines)}
    for number, row in enumerate(rows):
        wanted[number, [place[one] for one in chat.queries[row]["gold"]]] = 1
    orders = _orders(_chat_signals(judge, chat, rows, lines))
    loss = torch.stack([list_loss(order, wanted) for order in orders]).mean()
    if options.keep:
        known = _orders([table[rows][:, lines] for table in chat.known])
        apart = [
            F.kl_div(one.log_softmax(1), two.softmax(1), reduction="batchmean")
            for one, two in zip(orders, known, strict=True)
        ]
        loss = loss + options.keep * torch.stack(apart).mean()
    return loss


def _orders(seen: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return what whole texts, and what pieces, say about the order of lines."""
    cosine, found, back = seen
    return _SHARPNESS * cosine, _SHARPNESS * (found + back) / 2


@torch.no_grad()
def _remember(chats: Sequence[_Chat], tables: Tables) -> None:
    """Note how the untrained encoder sees the chats."""
    teacher = Judge(tables, 0.0).to(DEVICE).eval()
    for chat in chats:
        if not chat.known:
            chat.known = _all_signals(teacher, chat, range(len(chat.prompts)))


def _all_signals(judge: Judge, chat: _Chat, rows: Sequence[int]) -> tuple[Tensor, ...]:
    """Return the signals of some queries and all lines of a chat."""
    size, count = len(chat.documents), len(rows)
    texts = judge.read(chat.documents)
    prompts = judge.read([chat.prompts[row] for row in rows])
    lines = [texts.part(low, min(size, low + 128), chat.rarity) for low in range(0, size, 128)]
    found = []
    for at in range(0, count, 16):
        asked = prompts.part(at, min(count, at + 16), chat.rarity)
        parts = [signals(asked, some) for some in lines]
        found.append([torch.cat(part, 1) for part in zip(*parts, strict=True)])
    return tuple(torch.cat(part) for part in zip(*found, strict=True))


def _chat_signals(
    judge: Judge, chat: _Chat, rows: Sequence[int], lines: Sequence[int]
) -> tuple[Tensor, Tensor, Tensor]:
    prompts = judge.read([chat.prompts[row] for row in rows])
    texts = judge.read([chat.documents[line] for line in lines])
    mine, theirs = prompts.part(0, len(rows), chat.rarity), texts.part(0, len(lines), chat.rarity)
    return signals(mine, theirs)


@torch.no_grad()
def scored(judge: Judge, store: _Store) -> dict[str, "np.ndarray[Any, Any]"]:
    """Return the signals of every prompt and memory of a store, as the package would see them."""
    judge.eval()
    texts = judge.read(store.all).part(0, len(store.owners), store.rarity)
    prompts, count = judge.read(store.prompts), len(store.labels)
    parts = [
        signals(prompts.part(at, min(count, at + 16), store.rarity), texts) for at in range(0, count, 16)
    ]
    cosine, found, back = (torch.cat(part) for part in zip(*parts, strict=True))
    owners = np.array(store.owners)
    nearest = torch.tensor(
        [
            [_nearest(row, owners, number) for number in range(len(store.kinds))]
            for row in cosine.cpu().numpy()
        ],
        device=DEVICE,
    )
    chosen = [one.gather(1, nearest) for one in (cosine, found, back)]
    seen = torch.stack(chosen).cpu().numpy().astype("f2")
    nothing = judge.nothing_of(prompts).cpu().numpy().astype("f2")
    return {"signals": seen, "nothing": nothing, "density": np.float32(_density(texts.means, owners))}


@torch.no_grad()
def chat_recall(judge: Judge, chat: _Chat) -> float:
    """Return R@5 of the fused signals over the queries that were held back."""
    judge.eval()
    cosine, there, back = _all_signals(judge, chat, chat.held)
    best = (0.25 * cosine + 0.5 * there + 0.25 * back).topk(5, 1).indices.cpu().tolist()
    golds = [set(chat.queries[row]["gold"]) for row in chat.held]
    found = [len(gold & set(five)) / min(5, len(gold)) for gold, five in zip(golds, best, strict=True)]
    return float(np.mean(found))


def _nearest(row: "np.ndarray[Any, Any]", owners: "np.ndarray[Any, Any]", number: int) -> int:
    mine = np.flatnonzero(owners == number)
    return int(mine[row[mine].argmax()])


def _density(means: Tensor, owners: "np.ndarray[Any, Any]") -> float:
    near = (means @ means.T).cpu().numpy()
    near[owners[:, None] == owners[None, :]] = -1
    return float(near.max(1).mean())


def _rarity(memories: list[set[int]]) -> Tensor:
    """Return for each piece of the vocabulary how rare it is among the memories, as the package counts it."""
    among = np.zeros(_VOCABULARY)
    for pieces in memories:
        among[list(pieces)] += 1
    rarity = np.log(1 + (len(memories) - among + 0.5) / (among + 0.5))
    return torch.tensor(rarity.astype("f4"), device=DEVICE)


def _foreign_labels(store: _Store) -> Tensor:
    return torch.where(store.kinds >= _PROJECT, 0, -1)


def _cut(pieces: list[int]) -> list[int]:
    return pieces if len(pieces) <= _LONGEST_PASSAGE else [*pieces[: _LONGEST_PASSAGE - 1], pieces[-1]]
