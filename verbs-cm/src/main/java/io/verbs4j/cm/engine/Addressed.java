/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.Mtu;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.UdParam;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The addresses of an end. Non-final fields are guarded by the engine. */
abstract class Addressed {
    private static final int HOPS = 64;

    final Engine engine;
    final int portSpace;
    final EndOptions options = new EndOptions();

    /** Null if bound to all addresses, or not bound. */
    Gid localGid;

    int localPort;
    Gid remoteGid;
    int remotePort;

    /**
     * Whether it is bound to all addresses or to {@code localhost}, and so other processes on this machine find it by
     * that name.
     */
    boolean byName;

    private boolean wildcardIsIpv4;

    Addressed(Engine engine, int portSpace) {
        this.engine = engine;
        this.portSpace = portSpace;
    }

    static InetAddress host(String verb, InetSocketAddress address) {
        if (address == null || address.isUnresolved()) {
            throw new VerbsException(
                    Errno.EINVAL, verb, "the address is " + address + "; it must be a resolved address");
        }
        return address.getAddress();
    }

    final void takeAddress(String verb, Endpoint self, InetSocketAddress address) {
        InetAddress host = host(verb, address);
        localGid = host.isAnyLocalAddress() ? null : Addresses.local(engine.port(), host, verb);
        byName = host.isAnyLocalAddress() || Addresses.isLocalhost(engine.port(), Gid.of(host));
        wildcardIsIpv4 = host.isAnyLocalAddress() && host instanceof Inet4Address;
        localPort = engine.ports().bind(verb, self, address.getPort());
    }

    public final InetSocketAddress localAddress() {
        synchronized (engine) {
            if (localPort == 0) {
                return null;
            }
            return localGid == null
                    ? new InetSocketAddress(localPort)
                    : new InetSocketAddress(localGid.toInetAddress(), localPort);
        }
    }

    public final InetSocketAddress peerAddress() {
        synchronized (engine) {
            return remoteGid == null ? null : new InetSocketAddress(remoteGid.toInetAddress(), remotePort);
        }
    }

    /** Returns whether a wildcard accepts an address family. */
    final boolean takesFamily(boolean ipv4) {
        return wildcardIsIpv4 == ipv4 || ipv4 && !options.familyOnly();
    }

    final boolean isAt(Gid address) {
        return localGid == null ? engine.gidIndex(address) >= 0 : localGid.equals(address);
    }

    final int sgidIndex() {
        return engine.gidIndex(localGid);
    }

    final int pathMtu() {
        return Mtu.fromBytes(engine.port().pathMtu(sgidIndex()));
    }

    final int portSpace() {
        return portSpace;
    }

    final UdParam ud(Gid gid, int qpNum, int qkey) {
        return UdParam.of(
                new AhAttr()
                        .isGlobal(true)
                        .portNum(1)
                        .grh(new GlobalRoute()
                                .dgid(gid)
                                .sgidIndex(sgidIndex())
                                .hopLimit(HOPS)
                                .trafficClass(options.trafficClass())),
                qpNum,
                qkey);
    }
}
