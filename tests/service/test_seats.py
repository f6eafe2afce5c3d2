"""Who may see and revoke which seats."""

from __future__ import annotations

from tests.service.conftest import Service


def ids(service: Service, seat: str, role: str = "gm") -> dict[str | None, str]:
    """By the fight that they are at."""
    return {one["encounter"]: one["seat"] for one in service.get(seat, "seats").json() if one["role"] == role}


def test_seats_at_all_fights_are_not_the_business_of_one_fights_gm(service: Service) -> None:
    all_of_them = ids(service, "host")
    hosts = all_of_them.pop(None)
    assert ids(service, "gm") == all_of_them
    path = service.at(f"seats/{hosts}")
    refused = service.client("gm").delete(path)
    assert (refused.status_code, refused.json()["code"]) == (404, "seat/unknown")
    assert service.get("host", "/v1/seat").status_code == 200
    assert service.client("host").delete(path).status_code == 200
    assert service.get("host", "/v1/seat").status_code == 401


def test_a_gm_revokes_a_seat_at_its_own_fight(service: Service) -> None:
    (spectators,) = ids(service, "gm", "spectator").values()
    assert service.client("gm").delete(service.at(f"seats/{spectators}")).status_code == 200
    assert service.get("spectator", "state").status_code == 401
