/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.nio.ByteBuffer;

/** R2, R7 and R13 again: how a device differs from most, and that queries report it. */
interface AskedRules {
    private static Context openAgain(Rig rig) {
        return rig.opened(Verbs.open(rig.device(rig.kit.deviceName()), VerbsLevel.CURRENT));
    }

    @Rule(
            id = "R2.22",
            since = 3,
            says = "a device can be opened any number of times; or, as its traits report, once, and then fails with"
                    + " EBUSY until it is closed",
            look = {"VerbsProvider.openDevice", "ContextOps.close"},
            man = "the Javadoc of DeviceTraits.EXCLUSIVE")
    default void r222OpenAgain(Rig rig) {
        Context first = rig.open();
        String call = "opening the device again (" + rig.stated(Capability.SEVERAL_CONTEXTS) + ")";
        if (rig.has(Capability.SEVERAL_CONTEXTS)) {
            try {
                openAgain(rig);
            } catch (VerbsException e) {
                Seen.check(false, call + " failed with " + Errno.name(e.errno()));
            }
        } else {
            Seen.refuses(call, () -> openAgain(rig), Errno.EBUSY);
        }
        Seen.check(first.queryDevice().maxQp() > 0, "maxQp of the context opened first is no longer above 0");
        first.close();
        openAgain(rig);
    }

    @Rule(
            id = "R7.13",
            since = 3,
            says = "the key of a region opens that region, or all memory that the device knows, as is told",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), DESCRIPTION (rkey), and the Javadoc of DeviceTraits.KEYS_BY_CONNECTION",
            needs = {Capability.RC, Capability.RDMA_WRITE})
    default void r713KeyOfAnother(Rig rig) {
        rig.start();
        ByteBuffer buffer = ByteBuffer.allocateDirect(40);
        MemoryRegion other = rig.b.region(buffer, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        rig.a.post(rig.a
                .wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 40))
                .remoteAddr(other.addr())
                .rkey(rig.b.mr.rkey()));
        WorkCompletion wc = rig.a.next();
        int expected = rig.has(Capability.REGION_KEYS) ? WcStatus.REM_ACCESS_ERR : WcStatus.SUCCESS;
        Seen.equal(
                "the status of a write to one region with the key of another (" + rig.stated(Capability.REGION_KEYS)
                        + ")",
                WcStatus.toString(expected),
                WcStatus.toString(wc.status()));
        ByteBuffer untouched = ByteBuffer.allocate(40);
        if (rig.has(Capability.REGION_KEYS)) {
            Seen.check(buffer.equals(untouched), "a refused write changed the memory");
        } else {
            holds("the written region", buffer, rig.a.memory);
        }
    }

    private static void holds(String what, ByteBuffer buffer, Memory of) {
        for (int i = 0; i < buffer.capacity(); i++) {
            Seen.equal("byte " + i + " of " + what, of.at(i), buffer.get(i));
        }
    }

    @Rule(
            id = "R13.08",
            since = 3,
            says = "what queryDeviceEx tells of types, rights, keys, opening, events and ports is what the kit is told",
            look = {"the function in the slot QUERY_DEVICE_EX", "ContextOps.queryDevice"},
            man = "the Javadoc of DeviceAttrEx and of DeviceTraits",
            needs = Capability.QUERY_DEVICE_EX)
    default void r1308Asked(Rig rig) {
        Context context = rig.open();
        DeviceAttrEx attr = context.queryDeviceEx();
        if (attr.has(DeviceAttrEx.DEVICE_TRAITS)) {
            unlike(rig, attr, DeviceTraits.EXCLUSIVE, Capability.SEVERAL_CONTEXTS);
            unlike(rig, attr, DeviceTraits.KEYS_BY_CONNECTION, Capability.REGION_KEYS);
            unlike(rig, attr, DeviceTraits.NO_COMPLETION_EVENTS, Capability.COMPLETION_EVENTS);
        }
        type(rig, attr, DeviceAttrEx.SEND_OPS_RC, attr.sendOpsRc(), Capability.RC, "sendOpsRc");
        type(rig, attr, DeviceAttrEx.SEND_OPS_UC, attr.sendOpsUc(), Capability.UC, "sendOpsUc");
        type(rig, attr, DeviceAttrEx.SEND_OPS_UD, attr.sendOpsUd(), Capability.UD, "sendOpsUd");
        if (rig.has(Capability.RELIABLE_DATAGRAMS)) {
            type(
                    rig,
                    attr,
                    DeviceAttrEx.SEND_OPS_DRIVER,
                    attr.sendOpsDriver(),
                    Capability.RELIABLE_DATAGRAMS,
                    "sendOpsDriver");
        }
        if (rig.has(Capability.RC) && attr.has(DeviceAttrEx.QP_ACCESS_FLAGS)) {
            right(rig, attr, AccessFlags.REMOTE_WRITE, Capability.RDMA_WRITE);
            right(rig, attr, AccessFlags.REMOTE_READ, Capability.RDMA_READ);
            right(rig, attr, AccessFlags.REMOTE_ATOMIC, Capability.ATOMICS);
        }
        Seen.equal(
                "maxSrq > 0 in queryDevice (" + rig.stated(Capability.SRQ) + ")",
                rig.has(Capability.SRQ),
                context.queryDevice().maxSrq() > 0);
        int ports = attr.physPortCntEx();
        long beyond = ports >= Long.SIZE ? 0 : attr.internalPorts() >>> ports;
        Seen.check(beyond == 0, "internalPorts has a bit beyond port " + ports);
    }

    private static void unlike(Rig rig, DeviceAttrEx attr, long trait, Capability usual) {
        Seen.equal(
                "bit " + DeviceTraits.toString(trait) + " in deviceTraits of queryDeviceEx (" + rig.stated(usual) + ")",
                !rig.has(usual),
                (attr.deviceTraits() & trait) != 0);
    }

    private static void type(Rig rig, DeviceAttrEx attr, int field, long ops, Capability type, String name) {
        Seen.check(
                !attr.has(field) || rig.has(type) == (ops != 0),
                name + " of queryDeviceEx is 0x" + Long.toHexString(ops) + ", although " + rig.stated(type));
    }

    private static void right(Rig rig, DeviceAttrEx attr, int right, Capability operation) {
        Seen.equal(
                "bit " + AccessFlags.toString(right) + " in qpAccessFlags of queryDeviceEx (" + rig.stated(operation)
                        + ")",
                rig.has(operation),
                (attr.qpAccessFlags() & right) != 0);
    }
}
