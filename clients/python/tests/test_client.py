"""The Python client against servers that misbehave and against a real one, each a process.

TURNWISE_SERVER and TURNWISE_FAKE are the commands that start them, words separated by line breaks.
"""

from __future__ import annotations

import asyncio
import json
import os
import unittest
from typing import Any

from turnwise_client import (
    AsyncClient,
    Client,
    RefusedError,
    RequestTimeoutError,
    RunInProgressError,
    SdkProtocolError,
    TransportClosedError,
    TurnwiseError,
)
from turnwise_client.line import Graces
from turnwise_client.wire import Notification

SERVER = os.environ["TURNWISE_SERVER"].split("\n")
FAKE = os.environ["TURNWISE_FAKE"].split("\n")


def against(kind: str, **options: Any) -> AsyncClient:
    return AsyncClient([*FAKE, kind], provider="mock", model="m", **options)


def scripted(*script: str, **options: Any) -> AsyncClient:
    return AsyncClient(SERVER, provider="mock", model=json.dumps(script), **options)


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


class Misbehaving(unittest.IsolatedAsyncioTestCase):
    async def test_sd_09_malformed_wire_data_is_a_protocol_error(self) -> None:
        for kind in ("no envelope", "no content", "no kind", "no receipt"):
            with self.subTest(kind):
                async with against(kind) as client:
                    with self.assertRaises(SdkProtocolError):
                        await client.run("s1", "A")
                    self.assertEqual(await client.call("session/list"), {"sessions": []})
        with self.assertRaises(SdkProtocolError):
            await against("no identity").start()

    async def test_sd_09_what_is_wrong_further_inside_ends_its_run_and_nothing_else(self) -> None:
        for kind in ("odd blocks", "odd discard", "odd usage"):
            with self.subTest(kind):
                async with against(kind) as client:
                    with self.assertRaises(SdkProtocolError):
                        await asyncio.wait_for(client.run("s1", "A"), 5)
                    self.assertEqual(await client.call("session/list", timeout=5), {"sessions": []})

    async def test_sd_04_a_second_run_of_the_same_tick_is_refused(self) -> None:
        async with against("receipt first", concurrent_runs="reject") as client:
            one, two = await asyncio.gather(
                client.run("s1", "A"), client.run("s1", "B"), return_exceptions=True
            )
            self.assertEqual(getattr(one, "message_id", None), "A")
            self.assertIsInstance(two, RunInProgressError)
            self.assertEqual((await client.run("s1", "A")).message_id, "A")

    async def test_sd_17_whoever_starts_again_after_a_death_shares_one_fresh_process(self) -> None:
        client = against("dies")
        with self.assertRaises(TransportClosedError):
            await client.run("s1", "A")
        one, two = await asyncio.gather(client.start(), client.start())
        self.assertIs(one, two)
        await client.close()

    async def test_sd_18_close_does_not_wait_for_an_initialize_that_is_never_answered(self) -> None:
        client = against("slow start")
        starting = asyncio.ensure_future(client.start())
        while client._transport is None:
            await asyncio.sleep(0)
        await asyncio.wait_for(client.close(), 10)
        with self.assertRaises(TransportClosedError):
            await starting

    async def test_readers_and_diagnostics_that_raise_harm_nobody(self) -> None:
        def refuse(message: str) -> None:
            raise ValueError(message)

        async with against("noise", on_diagnostic=refuse) as client:
            result = await asyncio.wait_for(client.run("s1", "A"), 5)
            self.assertEqual(result.final_response, "über")

    async def test_nothing_is_kept_of_a_request_that_cannot_be_written(self) -> None:
        async with against("silent") as client:
            with self.assertRaises(ValueError):
                await client.call("session/list", {"huge": float("nan")})
            assert client._transport is not None
            self.assertEqual(client._transport.pending, 0)
            parked = [asyncio.ensure_future(anext(client.subscribe())) for _ in range(1)]
            shared = client.subscribe()
            parked += [asyncio.ensure_future(anext(shared)) for _ in range(2)]
            await asyncio.sleep(0)
        ends = await asyncio.wait_for(asyncio.gather(*parked, return_exceptions=True), 5)
        self.assertTrue(all(isinstance(end, (TransportClosedError, StopAsyncIteration)) for end in ends))

    async def test_sd_10_descendants_reach_the_observer_and_are_no_part_of_the_result(self) -> None:
        heard: list[Notification] = []
        async with against("lineage") as client:
            result = await client.run("s1", "A", observer=heard.append)
        self.assertEqual(
            [event["type"] for event in result.events],
            ["inbox/inserted", "assistant/message", "turn/end"],
        )
        self.assertEqual(result.final_response, "of s1")
        self.assertEqual({one.session_id for one in heard}, {"s1", "c1", "c2"})
        children = [one.params["child"] for one in heard if one.method == "child.started"]
        self.assertEqual(children, ["c1", "c2"])

    async def test_sd_11_the_runtime_dies_during_a_run(self) -> None:
        client = against("dies")
        await client.start()
        before = client.subscribe()
        with self.assertRaises(TransportClosedError) as caught:
            await client.run("s1", "A")
        self.assertEqual((caught.exception.exit_code, caught.exception.stderr), (3, "kaput"))
        self.assertEqual((await anext(before)).method, "session.event")
        with self.assertRaises(TransportClosedError):
            await anext(before)
        with self.assertRaises(TransportClosedError):
            await anext(client.subscribe())
        with self.assertRaises(TransportClosedError):
            await client.call("session/list")
        await client.close()

    async def test_sd_12_a_request_timeout_abandons_the_wait_not_the_work(self) -> None:
        async with against("late", request_timeout=0.02) as client:
            with self.assertRaises(RequestTimeoutError) as caught:
                await client.run("s1", "A")
            self.assertEqual(caught.exception.method, "session/prompt")
            self.assertEqual(await client.call("session/list", timeout=10), {"sessions": []})

    async def test_sd_17_a_failed_initialisation_is_retried_with_a_fresh_process(self) -> None:
        client = against("refuses")
        for _ in range(2):
            with self.assertRaises(RefusedError) as caught:
                await client.start()
            self.assertEqual((caught.exception.code, caught.exception.rpc_code), ("UNKNOWN_PROVIDER", -32602))
        client._command = [*FAKE, "silent"]
        one, two = await asyncio.gather(client.start(), client.start())
        self.assertIs(one, two)
        await asyncio.gather(client.close(), client.close())
        with self.assertRaises(TransportClosedError):
            await client.start()

    async def test_sd_18_close_goes_by_rungs_and_returns_only_after_exit(self) -> None:
        for kind in ("silent", "stubborn", "deaf", "immortal", "stays"):
            with self.subTest(kind):
                client = against(kind, graces=Graces() if kind == "silent" else Graces(0.1, 0.1, 0.1))
                await client.start()
                waiting = asyncio.ensure_future(client.prompt("s1", "A"))
                parked = asyncio.ensure_future(anext(client.subscribe()))
                await asyncio.sleep(0)
                await client.close()
                for one in await asyncio.gather(waiting, parked, return_exceptions=True):
                    self.assertIsInstance(one, TransportClosedError)
                self.assertIsNotNone(client._line._process.returncode)  # type: ignore[union-attr]

    async def test_receipt_order_drops_and_observers(self) -> None:
        async with against("receipt first") as client:
            result = await client.run("s1", "A")
            self.assertEqual([event["seq"] for event in result.events], [0, 1])
            self.assertEqual(result.last_turn_reason, {"kind": "completed"})
        async with against("dropped") as client:
            result = await client.run("s1", "A")
            self.assertIsNone(result.last_turn_reason)
            self.assertEqual(result.final_response, "")
        async with against("receipt first") as client:

            def refuse(_: Notification) -> None:
                raise ValueError("seen enough")

            with self.assertRaisesRegex(ValueError, "seen enough"):
                await client.run("s1", "A", observer=refuse)

    async def test_sd_13_an_idle_that_somebody_ends_at_once_is_no_rest(self) -> None:
        async with against("flicker") as client:
            result = await client.run("s1", "A")
        self.assertEqual([turn.turn for turn in result.turns], [1, 2])

    async def test_noise_is_passed_over_and_split_characters_survive(self) -> None:
        told: list[str] = []
        async with against("noise", on_diagnostic=told.append) as client:
            result = await client.run("s1", "A")
        self.assertEqual((result.message_id, result.final_response), ("Ä", "über"))
        self.assertEqual(len(told), 3)

    async def test_a_run_that_takes_too_long_is_given_up(self) -> None:
        async with against("silent") as client:
            with self.assertRaises(TurnwiseError) as caught:
                await client.run("s1", "A", timeout=0.01)
            self.assertEqual(caught.exception.code, "RUN_TIMEOUT")
            with self.assertRaises(RunInProgressError):
                await client.run("s1", "B", concurrent_runs="reject")


class Real(unittest.IsolatedAsyncioTestCase):
    async def test_runs_are_serialised_and_tell_their_turns(self) -> None:
        script = ('text "one"', "error SERVER", 'text "cut" finishing max-tokens', "call c1 t", 'text "x"', 'text "y"')
        async with scripted(*script) as client:
            one, two = await asyncio.gather(
                client.run("s1", "A", message_id="A"), client.run("s1", "B", message_id="B")
            )
            self.assertEqual((one.message_id, one.final_response), ("A", "one"))
            self.assertEqual(one.usage, {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2})
            self.assertEqual(one.events[0]["data"]["message"]["id"], "A")
            self.assertEqual(two.events[0]["seq"], one.events[-1]["seq"] + 1)
            self.assertEqual(two.final_response, "")
            reason = two.last_turn_reason
            assert reason is not None
            self.assertEqual((reason["kind"], reason["code"]), ("error", "SERVER"))
            cut = await client.run("s1", "C")
            self.assertEqual((cut.final_response, cut.last_turn_reason), ("cut", {"kind": "max-tokens"}))
            long = await client.run("s1", "D")
            self.assertEqual([turn.turn for turn in long.turns], [4, 5])
            self.assertEqual(long.final_response, "y")

    async def test_cancel_close_resume_and_refusals(self) -> None:
        async with scripted('hang "partial"', 'text "b"') as client:
            streaming = asyncio.Event()

            def watch(said: Notification) -> None:
                if said.params.get("event", {}).get("data", {}).get("chunk", {}).get("kind") == "text-delta":
                    streaming.set()

            run = asyncio.ensure_future(client.run("s1", "A", observer=watch))
            await streaming.wait()
            receipt = await client.cancel("s1", cause="user")
            self.assertEqual((receipt["effect"], receipt["turn"]), ("aborted", 1))
            result = await run
            self.assertEqual(result.final_response, "partial")
            self.assertEqual(result.last_turn_reason, {"kind": "aborted", "cause": {"kind": "user"}})
            await client.call("session/close", {"sessionId": "s1"})
            answer = await client.call("session/resume", {"sessionId": "s1"})
            self.assertEqual(answer, {"pending": [], "parked": None})
            with self.assertRaises(RefusedError) as caught:
                await client.call("session/resume", {"sessionId": "s1"})
            self.assertEqual((caught.exception.code, caught.exception.rpc_code), ("SESSION_LIVE", -32000))
            self.assertEqual((await client.run("s1", "B")).final_response, "b")


class Synchronous(unittest.TestCase):
    def test_runs_without_a_loop(self) -> None:
        with Client(SERVER, provider="mock", model='["text \\"one\\""]') as client:
            result = client.run("s1", "A")
            self.assertEqual(result.final_response, "one")
            self.assertEqual(result.last_turn_reason, {"kind": "completed"})
            self.assertEqual(client.call("session/list")["sessions"][0]["sessionId"], "s1")
        client.close()
        with self.assertRaises(RuntimeError):
            client.run("s1", "B")

    def test_one_place_is_needed(self) -> None:
        with self.assertRaises(TurnwiseError):
            AsyncClient(provider="mock", model="m")


if __name__ == "__main__":
    unittest.main()
