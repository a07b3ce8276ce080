"""Tests of the arena: a measurement must find the fault that it is there for."""
from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import answers  # noqa: E402
import compactions  # noqa: E402
import lives  # noqa: E402
import published  # noqa: E402
import writes  # noqa: E402
from curve import curve  # noqa: E402
from memory import Memory, by_words  # noqa: E402
from table import table  # noqa: E402


class Notes(Memory):
    """The adapter of the server of these tests."""

    def remember(self, text, day=None):
        self.client.call("remember", {"text": text})

    def search(self, question, limit):
        return json.loads(self.client.call("search", {"query": question}))[:limit]

    def replace(self, old, new):
        self.forget(old)
        self.remember(new)

    def forget(self, text):
        self.client.call("forget", {"text": text})


class Measured(unittest.TestCase):
    """Measurements of a server whose faults are known."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def connector(self, *faults):
        program = [sys.executable, os.path.join(HERE, "server.py"), *faults]
        home = os.path.join(self.folder.name, "home")
        return lambda: Notes(program, home)

    def test_sound_server_keeps_every_acknowledged_write(self):
        found = writes.concurrent(self.connector(), 1, 3, 6)
        self.assertEqual((found["acknowledged"], found["kept"], found["found"]), (18, 18, "18 of 18"))

    def test_lost_writes_are_counted(self):
        found = writes.concurrent(self.connector("forgetful"), 1, 3, 6)
        self.assertEqual((found["acknowledged"], found["kept"], found["found"]), (18, 12, "12 of 18"))

    def test_writes_lost_around_kill_are_counted(self):
        sound = writes.killed(self.connector(), 1, n_kills=1)
        self.assertEqual((sound["lost"], sound["last_write_found"]), (0, "1 of 1"))
        late = writes.killed(self.connector("late"), 2, n_kills=1)
        self.assertGreater(late["acknowledged"], 0)
        self.assertEqual((late["lost"], late["last_write_found"]), (late["acknowledged"], "0 of 1"))

    def test_life_of_sound_server_is_corrected_and_forgotten(self):
        found = answers.measure(self.connector(), 1, 48, 20)
        self.assertEqual(found["notes"], 68)
        self.assertEqual(found["forgotten"]["still_shown"], 0.0)
        self.assertEqual(found["forgotten"]["in_files"], 0.0)
        self.assertEqual(found["replaced"]["old_shown"], 0.0)
        self.assertEqual(found["noise"]["passages_mean"], 10.0)
        row = table([{"adapter": "notes", "life": found}])
        self.assertIn("| forgotten: still shown | 0.0 |", row)

    def test_note_that_survives_forgetting_is_counted(self):
        found = answers.measure(self.connector("stale"), 1, 48, 0)
        self.assertGreater(found["forgotten"]["still_shown"], 0.0)
        self.assertEqual(found["forgotten"]["in_files"], 1.0)
        self.assertGreater(found["replaced"]["old_shown"], 0.0)

    def test_published_set_is_stored_and_asked(self):
        conversations = published.longmemeval(os.path.join(HERE, "longmemeval.json"))
        found = published.measure(conversations, lambda name: self.connector(), None, lambda text: None)
        self.assertEqual((found["turns"], found["questions"], found["sessions_R@5"], found["turns_R@5"]), (4, 1, 1.0, 1.0))


class Generated(unittest.TestCase):
    """Properties of the generated data."""

    def test_same_seed_gives_same_life_and_another_seed_another(self):
        first, second, other = (lives.life(seed, 100, 50)[0] for seed in (3, 3, 4))
        self.assertEqual(first, second)
        self.assertFalse({fact.text for fact in first.facts} & {fact.text for fact in other.facts})

    def test_value_stands_in_one_note_and_in_no_question(self):
        for seed in range(5):
            life, _ = lives.life(seed, 120, 200)
            for fact in life.facts:
                holders = [note for note in life.notes(random.Random(1)) if lives.contains(note, fact.value)]
                self.assertEqual(holders, [fact.text])
                self.assertFalse(any(lives.contains(question, fact.value) for question in fact.questions))
                self.assertEqual(len(set(fact.questions)), 3)

    def test_correction_states_new_value_only(self):
        life, source = lives.life(5, 60, 0)
        for fact in life.facts:
            value, text = lives.corrected(source, fact)
            self.assertTrue(lives.contains(text, value))
            self.assertFalse(lives.contains(text, fact.value))

    def test_first_facts_are_told_before_others(self):
        talk = compactions.conversation(2)
        for _ in range(compactions.FACT_EVERY + 1):
            talk.exchange()
        self.assertEqual(len(talk.told), compactions.N_FIRST + 1)
        self.assertTrue(all(fact.text in json.loads(talk.lines[0])["content"] for fact in talk.told[: compactions.FIRST_EACH]))

    def test_curve_has_a_line_for_each_series(self):
        row = {name: {"shown": 0.5, "noted": 0.8, "found": 1.0} for name in ("first", "all")}
        drawn = curve({"rows": [{"compactions": 1, **row}, {"compactions": 1000, **row}]})
        self.assertEqual(drawn.count('stroke-width="2"'), 12)


class Published(unittest.TestCase):
    """The loaders of published sets."""

    def test_locomo_form_is_read(self):
        [conversation] = published.locomo(os.path.join(HERE, "locomo.json"))
        self.assertEqual([turn.session for turn in conversation.turns], ["1", "1", "10"])
        self.assertEqual(conversation.turns[0].day, "2026-05-08")
        self.assertIn("a photo of a small boat", conversation.turns[2].text)
        asked = [(question.kind, question.turns, question.sessions) for question in conversation.questions]
        self.assertEqual(asked, [("single-hop", {"D1:1"}, {"1"}), ("multi-hop", {"D10:1", "D1:1"}, {"10", "1"})])

    def test_longmemeval_form_is_read(self):
        [conversation] = published.longmemeval(os.path.join(HERE, "longmemeval.json"))
        self.assertEqual(conversation.turns[2].day, "2026-03-09")
        [question] = conversation.questions
        self.assertEqual((question.turns, question.sessions), ({"answer-1:0"}, {"answer-1"}))

    def test_recall_counts_turns_and_sessions(self):
        [conversation] = published.locomo(os.path.join(HERE, "locomo.json"))
        passages = ["nothing of the kind", "- Mira: I bought a viola from my neighbour."]
        found = published.answered(conversation.questions[1], passages, published.Places(conversation.turns))
        self.assertEqual((found["turns_R@5"], found["sessions_any@5"], found["sessions_all@5"]), (0.5, 1.0, 0.0))

    def test_question_is_asked_word_by_word_if_nothing_is_found(self):
        notes = ["the viola is old", "the boat and the viola"]
        found = by_words(lambda query: [note for note in notes if query in note], "boat or viola?", 5)
        self.assertEqual(found, ["the boat and the viola", "the viola is old"])


if __name__ == "__main__":
    unittest.main()
