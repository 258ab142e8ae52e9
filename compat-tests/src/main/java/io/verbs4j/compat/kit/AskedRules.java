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

/** R2, R7 and R13 again: in what a device is unlike most, and that a program that asks is told so. */
abstract class AskedRules extends QueryRules {
    private static final int OTHER_BYTES = 40;

    /** For {@link ProviderKit}. */
    AskedRules() {}

    private Context openAgain() {
        return opened(Verbs.open(device(deviceName()), VerbsLevel.CURRENT));
    }

    @Rule(
            id = "R2.22",
            since = 3,
            says =
                    "a device is open as often as is told: any number of times, or once, and then it answers EBUSY until it is closed",
            look = {"VerbsProvider.openDevice", "ContextOps.close"},
            man = "the Javadoc of DeviceTraits.EXCLUSIVE")
    final void r222OpenAgain() {
        Context first = open();
        String call = "opening the device again, where hasSeveralContexts() says " + hasSeveralContexts() + ",";
        if (hasSeveralContexts()) {
            try {
                openAgain();
            } catch (VerbsException e) {
                Seen.check(false, call + " answered " + Errno.name(e.errno()));
            }
        } else {
            Seen.refuses(call, this::openAgain, Errno.EBUSY);
        }
        Seen.check(first.queryDevice().maxQp() > 0, "the device that was open has no queue pairs any more");
        first.close();
        openAgain();
    }

    @Rule(
            id = "R7.13",
            since = 3,
            says = "the key of a region opens that region, or all memory that the device knows, as is told",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_reg_mr(3), DESCRIPTION (rkey), and the Javadoc of DeviceTraits.KEYS_BY_CONNECTION",
            needs = {Capability.RC, Capability.RDMA_WRITE})
    final void r713KeyOfAnother() {
        start();
        ByteBuffer buffer = ByteBuffer.allocateDirect(OTHER_BYTES);
        MemoryRegion other = b.region(buffer, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        a.post(a.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, OTHER_BYTES))
                .remoteAddr(other.addr())
                .rkey(b.mr.rkey()));
        WorkCompletion wc = a.next();
        int expected = hasRegionKeys() ? WcStatus.REM_ACCESS_ERR : WcStatus.SUCCESS;
        Seen.equal(
                "the status of a write into one region by the key of another, where hasRegionKeys() says "
                        + hasRegionKeys() + ",",
                WcStatus.toString(expected),
                WcStatus.toString(wc.status()));
        ByteBuffer untouched = ByteBuffer.allocate(OTHER_BYTES);
        if (hasRegionKeys()) {
            Seen.check(buffer.equals(untouched), "a write that was refused has changed the memory");
        } else {
            holds("the region that was written to", buffer, a.memory);
        }
    }

    private static void holds(String what, ByteBuffer buffer, Memory of) {
        for (int i = 0; i < buffer.capacity(); i++) {
            Seen.equal(what + ", byte " + i + ",", of.at(i), buffer.get(i));
        }
    }

    @Rule(
            id = "R13.08",
            since = 3,
            says = "what queryDeviceEx tells of types, rights, keys, opening, events and ports is what the kit is told",
            look = {"the function in the slot QUERY_DEVICE_EX", "ContextOps.queryDevice"},
            man = "the Javadoc of DeviceAttrEx and of DeviceTraits",
            needs = Capability.QUERY_DEVICE_EX)
    final void r1308Asked() {
        Context context = open();
        DeviceAttrEx attr = context.queryDeviceEx();
        if (attr.has(DeviceAttrEx.DEVICE_TRAITS)) {
            unlike(attr, DeviceTraits.EXCLUSIVE, Capability.SEVERAL_CONTEXTS);
            unlike(attr, DeviceTraits.KEYS_BY_CONNECTION, Capability.REGION_KEYS);
            unlike(attr, DeviceTraits.NO_COMPLETION_EVENTS, Capability.COMPLETION_EVENTS);
        }
        type(attr, DeviceAttrEx.SEND_OPS_RC, attr.sendOpsRc(), Capability.RC, "sendOpsRc");
        type(attr, DeviceAttrEx.SEND_OPS_UC, attr.sendOpsUc(), Capability.UC, "sendOpsUc");
        type(attr, DeviceAttrEx.SEND_OPS_UD, attr.sendOpsUd(), Capability.UD, "sendOpsUd");
        if (hasReliableDatagrams()) {
            type(
                    attr,
                    DeviceAttrEx.SEND_OPS_DRIVER,
                    attr.sendOpsDriver(),
                    Capability.RELIABLE_DATAGRAMS,
                    "sendOpsDriver");
        }
        if (hasRc() && attr.has(DeviceAttrEx.QP_ACCESS_FLAGS)) {
            right(attr, AccessFlags.REMOTE_WRITE, Capability.RDMA_WRITE);
            right(attr, AccessFlags.REMOTE_READ, Capability.RDMA_READ);
            right(attr, AccessFlags.REMOTE_ATOMIC, Capability.ATOMICS);
        }
        Seen.equal(
                "whether maxSrq of queryDevice is more than 0, where hasSrq() says " + hasSrq() + ",",
                hasSrq(),
                context.queryDevice().maxSrq() > 0);
        int ports = attr.physPortCntEx();
        long beyond = ports >= Long.SIZE ? 0 : attr.internalPorts() >>> ports;
        Seen.check(beyond == 0, "internalPorts has a bit beyond port " + ports);
    }

    private void unlike(DeviceAttrEx attr, long trait, Capability usual) {
        Seen.equal(
                "whether deviceTraits of queryDeviceEx has " + DeviceTraits.toString(trait) + ", where "
                        + usual.method() + "() says " + usual.in(this) + ",",
                !usual.in(this),
                (attr.deviceTraits() & trait) != 0);
    }

    private void type(DeviceAttrEx attr, int field, long ops, Capability type, String name) {
        Seen.check(
                !attr.has(field) || type.in(this) == (ops != 0),
                name + " of queryDeviceEx is 0x" + Long.toHexString(ops) + ", where " + type.method() + "() says "
                        + type.in(this));
    }

    private void right(DeviceAttrEx attr, int right, Capability operation) {
        Seen.equal(
                "whether qpAccessFlags of queryDeviceEx has " + AccessFlags.toString(right) + ", where "
                        + operation.method() + "() says " + operation.in(this) + ",",
                operation.in(this),
                (attr.qpAccessFlags() & right) != 0);
    }
}
