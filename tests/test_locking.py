"""What the lock keeps of an anchor's text, and which regions nothing could re-find."""

from __future__ import annotations

import hashlib
import re

import pytest

from claimcheck.locking import lock_anchor, unfindable
from claimcheck.model import Anchor, Lines, LockedString, LockEntry, Region, ReviewState
from claimcheck.syntax import token_digest
from claimcheck.texts import SourceText, fingerprint, line_digest

TEXT = """\
class Pool:
    def take(self, count):
        found = self.free[:count]
        return found

    def give(self, blocks):
        self.free += blocks
        self.check(blocks)

    def check(self, blocks):
        assert blocks
"""


def source(text: str = TEXT) -> SourceText:
    return SourceText(text, hashlib.sha1(text.encode()).hexdigest())


def anchor(*regions: Region, find: tuple[str, ...] = (), path: str = "pool.py", symbol: str | None = None) -> Anchor:
    return Anchor("T-POOL", "t", path, regions, find, symbol=symbol)


def locked(one: Anchor, text: SourceText | None = None) -> LockEntry:
    return lock_anchor(one, "c" * 40, source() if text is None else text, ReviewState.UNREVIEWED, None)


TAKE, GIVE = Region(Lines(2, 4)), Region(Lines(6, 8))


class TestLocking:
    def test_the_entry_says_what_it_speaks_of(self) -> None:
        entry = lock_anchor(anchor(TAKE, GIVE), "c" * 40, source(), ReviewState.REVIEWED, "d" * 40)
        assert (entry.id, entry.vendor, entry.commit, entry.path) == ("T-POOL", "t", "c" * 40, "pool.py")
        assert (entry.review, entry.reviewed_at) == (ReviewState.REVIEWED, "d" * 40)
        assert [region.lines for region in entry.regions] == [Lines(2, 4), Lines(6, 8)]

    def test_digests_symbol_and_scheme_of_a_region(self) -> None:
        (region,) = locked(anchor(GIVE)).regions
        tokens = token_digest(TEXT, "pool.py", Lines(6, 8))
        assert tokens is not None
        assert region.digest == line_digest(source().cut(Lines(6, 8)))
        assert (region.tokens, region.scheme, region.symbol) == (tokens.digest, "python/1", "Pool.give")

    def test_line_ends_do_not_matter(self) -> None:
        assert locked(anchor(TAKE, GIVE), source(TEXT.replace("\n", "\r\n"))) == locked(anchor(TAKE, GIVE))

    def test_a_region_of_several_definitions_has_all_their_names(self) -> None:
        (region,) = locked(anchor(Region(Lines(2, 8)))).regions
        assert region.symbol == "Pool.take, Pool.give"

    def test_without_a_grammar_there_are_no_tokens_and_no_symbol(self) -> None:
        (region,) = locked(anchor(GIVE, path="pool.rb")).regions
        assert (region.tokens, region.scheme, region.symbol) == (None, None, None)
        assert region.fingerprint

    def test_a_string_belongs_to_every_region_in_whose_text_it_stands(self) -> None:
        entry = locked(anchor(TAKE, GIVE, find=("self.free", "blocks", "def take", "nowhere")))
        assert [region.strings for region in entry.regions] == [
            (LockedString("self.free", 1, 1, 2), LockedString("def take", 0, 1, 1)),
            (LockedString("self.free", 1, 2, 2), LockedString("blocks", 0, 1, 5)),
        ]

    def test_in_the_long_form_a_string_belongs_to_its_region(self) -> None:
        entry = locked(anchor(Region(Lines(2, 4), ("def take",)), Region(Lines(6, 8), ("self.free",))))
        assert [[string.text for string in region.strings] for region in entry.regions] == [["def take"], ["self.free"]]

    def test_the_fingerprint_has_a_number_for_each_line_and_five_around_it(self) -> None:
        (region,) = locked(anchor(GIVE)).regions
        lines = source().lines
        assert tuple(region.before) == tuple(map(fingerprint, lines[:5]))
        assert tuple(region.fingerprint) == tuple(map(fingerprint, lines[5:8]))
        assert tuple(region.after) == tuple(map(fingerprint, lines[8:11]))
        assert all(re.fullmatch("[0-9a-f]{8}", one) for one in [*region.before, *region.fingerprint, *region.after])

    def test_blanks_are_not_in_the_fingerprint(self) -> None:
        assert fingerprint("\t a  =  1 ") == fingerprint("a = 1") != fingerprint("a = 2")

    def test_no_source_text_is_kept(self) -> None:
        entry = locked(anchor(TAKE, GIVE))
        assert "found" not in repr(entry) and "blocks" not in repr(entry)

    @pytest.mark.parametrize(
        ("one", "lines", "symbol"),
        [(anchor(), Lines(1, 11), "Pool"), (anchor(symbol="Pool.check"), Lines(10, 11), "Pool.check")],
    )
    def test_an_anchor_without_ranges_is_kept_as_its_file_or_symbol(
        self, one: Anchor, lines: Lines, symbol: str
    ) -> None:
        (region,) = locked(one).regions
        assert (region.lines, region.symbol, len(region.fingerprint)) == (lines, symbol, 0)

    def test_an_empty_file(self) -> None:
        (region,) = locked(anchor(), source("")).regions
        assert region.digest == line_digest("")

    def test_a_range_beyond_the_file_is_refused(self) -> None:
        with pytest.raises(IndexError, match="lines 10-20 of a file of 11"):
            locked(anchor(Region(Lines(10, 20))))


class TestUnfindable:
    def test_a_string_that_repeats_is_harmless(self) -> None:
        assert unfindable(anchor(TAKE, GIVE, find=("self.free",)), None, source()) == ()

    def test_a_region_without_a_string_of_its_own(self) -> None:
        assert unfindable(anchor(TAKE, GIVE, find=("def give",)), None, source()) == (0,)
        assert unfindable(anchor(TAKE, GIVE), None, source()) == (0, 1)

    def test_a_string_that_stands_elsewhere_finds_nothing(self) -> None:
        assert unfindable(anchor(TAKE, find=("def give",)), None, source()) == (0,)

    def test_a_fresh_lock_has_a_fingerprint(self) -> None:
        one = anchor(TAKE, GIVE, find=("def give",))
        assert unfindable(one, locked(one), source()) == ()
        assert unfindable(one, locked(one), None) == ()

    def test_a_symbol_is_enough(self) -> None:
        assert unfindable(anchor(TAKE, symbol="Pool.take"), None, source()) == ()

    def test_a_whole_file_is_found_by_its_path(self) -> None:
        assert unfindable(anchor(), None, source()) == ()
        assert unfindable(anchor(), locked(anchor()), None) == ()

    @pytest.mark.parametrize(
        ("one", "indexes"),
        [
            (anchor(TAKE, GIVE), (0, 1)),
            (anchor(TAKE, GIVE, find=("def give",)), ()),
            (anchor(Region(Lines(2, 4), ("def take",)), GIVE), (1,)),
        ],
    )
    def test_without_the_text_only_what_is_written_tells(self, one: Anchor, indexes: tuple[int, ...]) -> None:
        assert unfindable(one, None, None) == indexes
