"""Read a fight as a seat sees it. The state and the events come as a page, as lines, or as a stream."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from combatlog.messages.rights import Right
from combatlog.rules.engine.status import StatusData, status_of
from combatlog.service.authentication import SeatedRequest, at_fight, runtime_of
from combatlog.service.commands import LONGEST_REFERENCE
from combatlog.service.event_streams import EventStream, Subscriber
from combatlog.service.openapi import CLOCK, ETAG, LAST_EVENT_ID, READING, answers
from combatlog.service.problems import Refused
from combatlog.service.responses import NDJSON, SSE, TIME, EventPage, clock, json_answer, unless_known
from projections.review.explanation import no_event
from projections.views import SeatView

router = APIRouter(tags=["reading"])

Encounter = Annotated[str, Path(description="The encounter's id, or its name.", max_length=LONGEST_REFERENCE)]
At = Annotated[int | None, Query(ge=1, le=2**53, description="as it was after this event")]


@router.get(
    "/encounters/{encounter}/state",
    **answers(StatusData, about="The state.", refusals=READING, has=(ETAG, CLOCK)),
)
def state(request: Request, encounter: Encounter, at: At = None) -> Response:
    """The state now, or as it was after the event `at`. Its ETag is the seq, for `If-Match`.

    `Combatlog-Time` is the service's clock, to compute the time that is left to answer.
    """
    with at_fight(request, encounter, Right.LOOK) as place:
        if at is not None:
            return json_answer(_state_at(place, at))
        answer = unless_known(request, place.watch.last, place.watch.state)
        answer.headers[TIME] = clock()
        return answer


def _state_at(place: SeatedRequest, at: int) -> StatusData:
    """By the seat's own numbers; an unseen event does not exist for it."""
    if at > place.watch.last:
        raise no_event(at, place.watch.last)
    earlier = SeatView.until(place.held.seat, place.table.events, at)
    return {**status_of(earlier.battle), "seq": at}


@router.get(
    "/encounters/{encounter}/events",
    **answers(
        EventPage,
        about="Events as the seat sees them: a page, lines of JSON, or a stream, by the Accept header.",
        refusals=READING,
        content={NDJSON: {"schema": {"type": "string"}}, SSE: {"schema": {"type": "string"}}},
        has=(ETAG,),
        takes=(LAST_EVENT_ID,),
    ),
)
def events(
    request: Request,
    encounter: Encounter,
    after: Annotated[int, Query(ge=0, le=2**53, description="only events after this one")] = 0,
    limit: Annotated[int, Query(ge=1, le=5000)] = 500,
    changes: Annotated[bool, Query(description="stream what pages show: a replay, then its changes")] = False,
) -> Response:
    """`Accept: text/event-stream` streams: the state first, then every event once and in order.

    `Last-Event-ID` (or `after`) resumes without the state. `Accept: application/x-ndjson` gives a line for each.
    With `changes`, the stream begins with the document of a replay, and continues with parts of one.
    """
    wanted = request.headers.get("accept", "")
    with at_fight(request, encounter, Right.LOOK) as place:
        if SSE in wanted:
            return _stream(request, place, after, as_page=changes)
        start = place.watch.place_after(after)
        if NDJSON in wanted:
            return unless_known(request, place.watch.last, lambda: _lines(place, start), NDJSON)
        return unless_known(request, place.watch.last, lambda: _page(place, start, limit))


def _lines(place: SeatedRequest, start: int) -> bytes:
    return b"".join(data + b"\n" for data in place.watch.encoded[start:])


def _page(place: SeatedRequest, start: int, limit: int) -> bytes:
    watch = place.watch
    data = watch.encoded[start : start + limit]
    following = watch.seen[start + limit - 1].seq if start + limit < len(watch.seen) else None
    return b'{"last":%d,"next":%b,"events":[%b]}' % (watch.last, to_json(following), b",".join(data))


def _stream(request: Request, place: SeatedRequest, after: int, *, as_page: bool) -> Response:
    """It subscribes while the fight is locked, so that no event is missed after the first part."""
    hall = runtime_of(request)
    settings, watch = hall.settings, place.watch
    mine = sum(seat == place.held.id for seat in tuple(hall.streams.values()))
    if hall.stopping.is_set() or hall.carrier is None:
        raise Refused("service/stopping", "The service is stopping; come back in a moment.")
    if len(hall.streams) >= settings.streams or mine >= settings.streams_per_seat:
        raise Refused("request/busy", "Too many streams are open.", headers={"Retry-After": "5"}, found=mine)
    resume = _last_event_id(request, after)
    if resume is not None and resume > watch.last:
        resume = None  # it knows another history of the fight, for example from before a backup was restored
    subscriber = Subscriber(hall.carrier, settings.most_waiting)
    hall.streams[subscriber] = place.held.id
    if as_page:
        first = watch.begin_page(place.table.events, subscriber)
    else:
        watch.subscribers.add(subscriber)
        first = _beginning(place) if resume is None else watch.chunks(watch.place_after(resume))
        first += watch.question()

    def left() -> None:
        watch.subscribers.discard(subscriber)
        watch.pages.subscribers.discard(subscriber)
        hall.streams.pop(subscriber, None)

    return EventStream(
        subscriber,
        first,
        keep_alive=settings.keep_alive,
        send_within=settings.send_within,
        left=left,
    )


def _last_event_id(request: Request, after: int) -> int | None:
    said = request.headers.get("last-event-id")
    if said is None:
        return after or None
    if not (said.isascii() and said.isdigit() and len(said) <= 18):
        raise Refused("request/last-event-id", "Last-Event-ID must be the number of an event.", found=said)
    return int(said)


def _beginning(place: SeatedRequest) -> bytes:
    if not place.watch.seen:
        return b""
    return b"id: %d\nevent: state\ndata: %b\n\n" % (place.watch.last, place.watch.state())
