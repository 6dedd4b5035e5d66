"""What a host keeps of the connections of its gateways."""

from net.host.access import DenialReason
from net.ssh.gateways.guests import Distant
from net.ssh.gateways.messages import Deny


def test_a_distant_connection_is_cut_or_denied_by_its_number():
    said = []
    distant = Distant(3, "2001:db8::1:2", said.append)
    distant.hang_up()
    distant.deny(DenialReason.FULL)

    assert said == [Deny(3), Deny(3, DenialReason.FULL)]
    assert distant.network == "2001:db8::/64"
    assert (distant.open_sessions, distant.exchanged, distant.identity) == (0, False, None)
