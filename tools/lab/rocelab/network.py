"""The network of a scenario, as scripts of ip, rdma and tc.

By full path: other programs of these names may come before them in PATH.
"""

import ipaddress
from dataclasses import dataclass

from .errors import LabError
from .host import JOBS, Host

DEVICE = "rxe0"
ADDRESSES = {"server": "192.168.2.24", "client": "192.168.2.25"}
ADDRESSES_6 = {"server": "fd00:192:168:2::24", "client": "fd00:192:168:2::25"}
IP, TC, RDMA = "/sbin/ip", "/sbin/tc", "/bin/rdma"
ROCE_PORT = 4791


@dataclass(frozen=True)
class Network:
    """Of the interface that carries RoCE: MTU in bytes of IP, VLAN (0: untagged), IP version of the addresses in use."""

    mtu: int = 1500
    vlan: int = 0
    ipv6: bool = False

    def address(self, name: str) -> str:
        return (ADDRESSES_6 if self.ipv6 else ADDRESSES)[name]


@dataclass(frozen=True)
class Impairment:
    """A netem queue on one host. Way `out`: before the host's captures see a packet; `in`: after they saw it."""

    on: str  # server or client
    way: str  # out or in
    netem: str  # netem's arguments, as tc takes them
    only: str = "roce"  # roce: UDP to port 4791; all


def reset_script(interface: str) -> str:
    """Removes what the scenario before left: processes, device, queues, addresses."""
    return f"""
for job in {JOBS}/*; do [ -e "$job/pid" ] && [ ! -e "$job/ended" ] && kill -KILL -"$(cat "$job/pid")"; done 2>/dev/null
rm -rf {JOBS}; mkdir -p {JOBS}
for name in $(ls /sys/class/infiniband); do {RDMA} link delete "$name"; done
{TC} qdisc del dev {interface} root 2>/dev/null
{TC} qdisc del dev {interface} ingress 2>/dev/null
{IP} link del ifb-lab 2>/dev/null
for name in $(ls /sys/class/net); do case $name in {interface}.*) {IP} link del "$name" ;; esac; done
{IP} addr flush dev {interface}
{IP} neigh flush dev {interface}
{IP} link set {interface} down
true"""


def setup_script(network: Network, name: str, interface: str) -> str:
    """Addresses and the rxe device. No duplicate address detection: an IPv6 address works at once."""
    port = f"{interface}.{network.vlan}" if network.vlan else interface
    vlan = f"{IP} link add link {interface} name {port} type vlan id {network.vlan} && modprobe 8021q" if network.vlan else ":"
    return f"""set -e
modprobe rdma_rxe; modprobe rdma_ucm; modprobe ib_umad 2>/dev/null || :
echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
echo 0 >/proc/sys/net/ipv6/conf/{interface}/accept_dad
{IP} link set {interface} mtu {network.mtu} up
{vlan}
{IP} addr add {ADDRESSES[name]}/24 dev {port}
{IP} addr add {ADDRESSES_6[name]}/64 dev {port} nodad
{IP} link set {port} mtu {network.mtu} up
{RDMA} link add {DEVICE} type rxe netdev {interface}"""


def impair_script(impairment: Impairment, interface: str) -> str:
    """netem on packets of RoCE (or all), on egress by a band of its own, on ingress behind an ifb device."""
    match = ["protocol ip", "protocol ipv6"]
    roce = f"flower ip_proto udp dst_port {ROCE_PORT}"
    if impairment.way == "out":
        if impairment.only == "all":
            return f"{TC} qdisc add dev {interface} root netem {impairment.netem}"
        lines = [f"{TC} qdisc add dev {interface} root handle 1: prio bands 2 priomap {'1 ' * 16}",
                 f"{TC} qdisc add dev {interface} parent 1:1 handle 10: netem {impairment.netem}"]
        lines += [f"{TC} filter add dev {interface} parent 1: prio {number} {which} {roce} classid 1:1"
                  for number, which in enumerate(match, start=1)]
        return " && ".join(lines)
    redirect = "action mirred egress redirect dev ifb-lab"
    # Without IPv6 of its own, whose packets netem would count as well.
    lines = [f"{IP} link add ifb-lab type ifb", "echo 1 >/proc/sys/net/ipv6/conf/ifb-lab/disable_ipv6", f"{IP} link set ifb-lab up",
             f"{TC} qdisc add dev ifb-lab root netem {impairment.netem}",
             f"{TC} qdisc add dev {interface} handle ffff: ingress"]
    if impairment.only == "all":
        lines.append(f"{TC} filter add dev {interface} parent ffff: matchall {redirect}")
    else:
        lines += [f"{TC} filter add dev {interface} parent ffff: prio {number} {which} {roce} {redirect}"
                  for number, which in enumerate(match, start=1)]
    return " && ".join(lines)


def release_script(interface: str) -> str:
    """Removes all impairments."""
    return f"""{TC} qdisc del dev {interface} root 2>/dev/null
{TC} qdisc del dev {interface} ingress 2>/dev/null
{IP} link del ifb-lab 2>/dev/null
true"""


def gid_index(host: Host, device: str, address: str) -> int:
    """The index of the RoCEv2 GID that holds an address of the host's."""
    # The table has a thousand entries, most of them empty: one process reads them all.
    script = (f"cd /sys/class/infiniband/{device}/ports/1/gids && for i in $(grep -lv '^0000:0000:0000:0000:0000:0000:0000:0000' *); "
              "do echo $i $(cat $i ../gid_attrs/types/$i); done")
    wanted = as_gid(address)
    listed = host.check(script)
    for line in listed.splitlines():
        index, gid, *kind = line.split()
        if gid == wanted and "v2" in kind:
            return int(index)
    raise LabError(f"{host.name}: no RoCEv2 GID of {device} is {address}. The GIDs are:\n{listed}")


def as_gid(address: str) -> str:
    """As the kernel writes a GID: eight groups. Python from 3.13 on writes a mapped IPv4 address with dots."""
    parsed = ipaddress.ip_address(address)
    return (parsed if parsed.version == 6 else ipaddress.IPv6Address(f"::ffff:{address}")).packed.hex(":", 2)


def read_counters(host: Host, device: str, interface: str) -> dict[str, dict[str, int]]:
    """The device's hw_counters and the interface's statistics."""
    script = (f"grep -H . /sys/class/infiniband/{device}/ports/1/hw_counters/* "
              f"/sys/class/net/{interface}/statistics/* 2>/dev/null; true")
    counters: dict[str, dict[str, int]] = {"hw_counters": {}, "netdev": {}}
    for line in host.check(script).splitlines():
        path, _, value = line.rpartition(":")
        group, name = ("hw_counters" if "/hw_counters/" in path else "netdev"), path.rsplit("/", 1)[-1]
        if name != "lifespan" and value.isdigit():
            counters[group][name] = int(value)
    return counters
