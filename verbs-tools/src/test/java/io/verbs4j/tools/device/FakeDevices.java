/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.LinkLayer;
import io.verbs4j.Mtu;
import io.verbs4j.NodeType;
import io.verbs4j.OpenAttr;
import io.verbs4j.PortAttr;
import io.verbs4j.PortPhysState;
import io.verbs4j.PortState;
import io.verbs4j.TransportType;
import io.verbs4j.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** Devices that only answer queries: InfiniBand, two ports, the first one down. */
public final class FakeDevices implements Devices {
    private final List<Device> list = new ArrayList<>();
    private final List<ProviderState> providers = new ArrayList<>();
    private int open;

    /** Makes devices with these names. */
    public FakeDevices(String... names) {
        for (String name : names) {
            list.add(new FakeDevice(name, 0x0002c903_00a1b2c3L + list.size()));
        }
        providers.add(new ProviderState(
                "fake", "org.example.FakeProvider", "/jars/fake.jar", 1, 1, true, "", List.of(names)));
    }

    /** Adds a provider that was set aside. */
    public FakeDevices setAside(String name, String reason) {
        providers.add(
                new ProviderState(name, "org.example.Broken", "/jars/broken.jar", 9, 9, false, reason, List.of()));
        return this;
    }

    @Override
    public List<Device> list() {
        return list;
    }

    @Override
    public Device named(String name) {
        return list.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow(() -> missing("no device '" + name + "'"));
    }

    /** Returns the first device. All devices have an active port. */
    @Override
    public Device defaultDevice() {
        return list.stream().findFirst().orElseThrow(() -> missing("no device has an active port"));
    }

    /** Returns an exception like the library's, with its report. */
    private VerbsException missing(String what) {
        StringBuilder report = new StringBuilder(what).append("; providers and devices found:\n");
        providers.forEach(p -> report.append(p.name() + " " + p.deviceNames() + " " + p.reason() + "\n"));
        return new VerbsException(Errno.ENODEV, "get_device", report.toString());
    }

    @Override
    public Context open(Device device) {
        open++;
        return new FakeContext(device);
    }

    @Override
    public List<ProviderState> providers() {
        return providers;
    }

    /** Returns the number of open contexts. */
    public int open() {
        return open;
    }

    private static final class FakeDevice extends Device {
        FakeDevice(String name, long guid) {
            super(name, guid, NodeType.CA, TransportType.IB);
        }
    }

    private final class FakeContext extends Context {
        FakeContext(Device device) {
            super(device, new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            return new Answers();
        }
    }

    private final class Answers implements ContextOps {
        /** Fails like the library. */
        @Override
        public <T> T vendor(Class<T> type) {
            throw new VerbsException(Errno.EOPNOTSUPP, "vendor", "fake does not know the type " + type.getName());
        }

        @Override
        public int numCompVectors() {
            return 4;
        }

        @Override
        public void queryDevice(DeviceAttr a) {
            a.fwVer("2.42.5000")
                    .nodeGuid(0x0002c90300a1b2c3L)
                    .sysImageGuid(0x0002c90300a1b2c6L)
                    .vendorId(0x2c9);
            a.vendorPartId(4099).hwVer(0x1A).physPortCnt(2).maxMrSize(-1).pageSizeCap(0xfffffe00L);
            a.maxQp(393144)
                    .maxQpWr(16351)
                    .maxSge(32)
                    .maxSgeRd(30)
                    .maxCq(65408)
                    .maxCqe(4194303)
                    .maxMr(524032);
            a.deviceCapFlags(DeviceCap.BAD_PKEY_CNTR | DeviceCap.SYS_IMAGE_GUID | DeviceCap.MEM_WINDOW | 1 << 30);
            a.maxPd(32764)
                    .maxQpRdAtom(16)
                    .maxResRdAtom(6290304)
                    .maxQpInitRdAtom(128)
                    .atomicCap(1)
                    .maxMcastGrp(8192);
            a.maxMcastQpAttach(248)
                    .maxTotalMcastQpAttach(2031616)
                    .maxAh(2147483647)
                    .maxSrq(65472)
                    .maxSrqWr(16383);
            a.maxSrqSge(31).maxPkeys(128).localCaAckDelay(15);
        }

        @Override
        public void queryPort(int port, PortAttr a) {
            if (port < 1 || port > 2) {
                throw new VerbsException(Errno.EINVAL, "query_port", "no port " + port);
            }
            boolean up = port == 2;
            a.state(up ? PortState.ACTIVE : PortState.DOWN).maxMtu(Mtu.MTU_4096).activeMtu(up ? Mtu.MTU_2048 : 5);
            a.lid(up ? 7 : 0)
                    .smLid(up ? 1 : 0)
                    .lmc(up ? 1 : 0)
                    .gidTblLen(3)
                    .pkeyTblLen(2)
                    .maxMsgSz(0x40000000L);
            a.portCapFlags(0x02514868)
                    .maxVlNum(4)
                    .badPkeyCntr(3)
                    .subnetTimeout(18)
                    .activeWidth(up ? 2 : 8);
            a.activeSpeed(up ? 32 : 16).physState(up ? PortPhysState.LINK_UP : PortPhysState.POLLING);
            a.linkLayer(up ? LinkLayer.ETHERNET : LinkLayer.INFINIBAND);
        }

        @Override
        public Gid queryGid(int port, int index) {
            if (index == 1) {
                return Gid.ZERO;
            }
            return Gid.parseHex(
                    index == 0 ? "fe800000000000000002c90300a1b2c" + (3 + port) : "00000000000000000000ffffc0000201");
        }

        @Override
        public int queryPkey(int port, int index) {
            return index == 0 ? 0xffff : 0;
        }

        @Override
        public void close() {
            open--;
        }
    }
}
