/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static io.verbs4j.compat.kit.Memory.PAGE;
import static io.verbs4j.compat.kit.RequestRig.NO_LEVEL;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** R16: operations of level 3 that are about the peer's memory, or about none: atomic write, flush, no-op. */
interface RequestRules {
    // ---- which operations exist

    @Rule(
            id = "R16.01",
            since = 3,
            says = "the operations of level 3 that are declared are those that queryDeviceEx reports; others fail with"
                    + " EOPNOTSUPP",
            look = {"the function in the slot QUERY_DEVICE_EX", "QueuePair.postSend"},
            man = "the Javadoc of DeviceAttrEx.sendOpsRc, of WrOpcode and of QueuePair.postSend",
            needs = {Capability.RC, Capability.QUERY_DEVICE_EX})
    default void r1601Told(RequestRig rig) {
        rig.start();
        DeviceAttrEx attr = rig.a.context.queryDeviceEx();
        for (LaterOperation operation : LaterOperation.values()) {
            boolean stated = rig.has(operation.capability);
            String where = " (" + rig.stated(operation.capability) + ")";
            Seen.equal(
                    "bit " + operation + " in sendOpsRc of queryDeviceEx" + where,
                    stated,
                    (attr.sendOpsRc() & operation.bit) != 0);
            if (!stated) {
                int answer = rig.a.qp.postSend(operation.request(rig.a, rig.b));
                Seen.errno("postSend of " + operation + where, Errno.EOPNOTSUPP, answer);
            }
            if (rig.has(Capability.SEND_OPS)) {
                rig.atCreation(operation.bit, stated, where);
            }
        }
        if (attr.has(DeviceAttrEx.SEND_OPS_RC)) {
            for (Operation operation : Operation.values()) {
                Seen.equal(
                        "bit " + operation + " in sendOpsRc of queryDeviceEx (" + operation.stated(rig) + ")",
                        operation.isStated(rig),
                        (attr.sendOpsRc() & operation.bit) != 0);
            }
        }
        rig.cap(attr, Capability.ATOMIC_WRITE, DeviceCap.ATOMIC_WRITE);
        rig.cap(attr, Capability.FLUSH, DeviceCap.FLUSH_GLOBAL);
        int sizes = attr.maskedAtomicSizes();
        Seen.equal(
                "maskedAtomicSizes != 0 (" + rig.stated(Capability.MASKED_ATOMICS) + ")",
                rig.has(Capability.MASKED_ATOMICS),
                sizes != 0);
        rig.a.exchange(rig.b, 1, 0, 0, 100);
    }

    // ---- atomic write

    @Rule(
            id = "R16.02",
            since = 3,
            says = "an atomic write puts 8 bytes at the given address, in this machine's byte order, and nothing"
                    + " beside them",
            look = "QueuePair.postSend",
            man = "ibv_wr_atomic_write(3), and the Javadoc of WrOpcode.ATOMIC_WRITE",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ATOMIC_WRITE})
    default void r1602AtomicWrite(RequestRig rig) {
        rig.start();
        for (long value : new long[] {0x0102_0304_0506_0708L, -2, 0}) {
            rig.a.post(rig.atomicWrite(1, 64, value));
            Seen.opcode(rig.a.next(1, WcStatus.SUCCESS), WcOpcode.ATOMIC_WRITE);
            Seen.equal("the value of an atomic write", Seen.hex(value), Seen.hex(rig.b.memory.buffer.getLong(64)));
        }
        rig.b.memory.untouched(0, 64);
        rig.b.memory.untouched(72, 1000);
        SendWorkRequest second = rig.atomicWrite(3, 128, 7);
        SendWorkRequest first = rig.a.to(rig.b, 128, rig.a.wr(WrOpcode.RDMA_WRITE, 2, rig.a.sge(0, 8)));
        rig.a.post(first.next(second));
        rig.a.next(2, WcStatus.SUCCESS);
        rig.a.next(3, WcStatus.SUCCESS);
        Seen.equal("the value of an atomic write after an RDMA write", 7L, rig.b.memory.buffer.getLong(128));
        rig.b.nothing("on the side that was written to");
    }

    @Rule(
            id = "R16.03",
            since = 3,
            says = "an atomic write needs an address that is a multiple of 8, no elements, and the rights of a write",
            look = "QueuePair.postSend",
            man = "ibv_wr_atomic_write(3), and the Javadoc of WrOpcode.ATOMIC_WRITE",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ATOMIC_WRITE, Capability.REGION_KEYS})
    default void r1603AtomicWriteRefused(RequestRig rig) {
        rig.start();
        Seen.errno(
                "postSend of an atomic write with an element",
                Errno.EINVAL,
                rig.a.qp.postSend(rig.atomicWrite(1, 64, 1).sgList(rig.a.sge(0, 8))));
        rig.refusedOrFails(
                "an atomic write to an address that is 4 mod 8", rig.atomicWrite(1, 68, 1), WcStatus.REM_INV_REQ_ERR);
        rig.b.memory.untouched(0, 1000);
        rig.start();
        rig.fails(rig.atomicWrite(1, Side.BYTES, 1), WcStatus.REM_ACCESS_ERR);
        rig.start();
        MemoryRegion readOnly = rig.b.region(ByteBuffer.allocateDirect(64).alignedSlice(8), AccessFlags.LOCAL_WRITE);
        rig.fails(rig.atomicWrite(1, 0, 1).remoteAddr(readOnly.addr()).rkey(readOnly.rkey()), WcStatus.REM_ACCESS_ERR);
        rig.start(s -> s.access = 0);
        rig.fails(rig.atomicWrite(1, 64, 1), WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
        rig.b.memory.untouched(0, 1000);
    }

    // ---- flush

    @Rule(
            id = "R16.04",
            since = 3,
            says = "a flush, of a range or of all of the region, completes behind what was written",
            look = "QueuePair.postSend",
            man = "ibv_wr_flush(3), and the Javadoc of WrOpcode.FLUSH",
            needs = {Capability.RC, Capability.FLUSH})
    default void r1604Flush(RequestRig rig) {
        rig.startFlushing(AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_GLOBAL);
        for (int level : new int[] {FlushLevel.RANGE, FlushLevel.MR}) {
            if (rig.has(Capability.RDMA_WRITE)) {
                rig.a.post(rig.a.to(rig.b, 100, rig.a.wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 5000))));
            }
            rig.a.post(rig.flush(2, 100, 5000, level));
            if (rig.has(Capability.RDMA_WRITE)) {
                rig.a.next(1, WcStatus.SUCCESS);
            }
            Seen.opcode(rig.a.next(2, WcStatus.SUCCESS), WcOpcode.FLUSH);
            if (rig.has(Capability.RDMA_WRITE)) {
                rig.b.memory.holds(100, rig.a.memory, 0, 5000);
            }
        }
        // A flush of the whole region ignores the range.
        rig.a.post(rig.flush(3, 0, Side.BYTES + 1L, FlushLevel.MR));
        rig.a.next(3, WcStatus.SUCCESS);
        rig.b.nothing("on the side that was flushed");
    }

    @Rule(
            id = "R16.05",
            since = 3,
            says = "a flush needs a type and a level that there are, a range within the region, and the right of"
                    + " region and queue pair",
            look = "QueuePair.postSend",
            man = "ibv_wr_flush(3), and the Javadoc of WrOpcode.FLUSH",
            needs = {Capability.RC, Capability.FLUSH, Capability.REGION_KEYS})
    default void r1605FlushRefused(RequestRig rig) {
        int right = AccessFlags.FLUSH_GLOBAL;
        rig.startFlushing(right, right);
        rig.refusedOrFails("a flush of no type", rig.flush(1, 0, 8, 0).flushType(0), WcStatus.REM_INV_REQ_ERR);
        rig.startFlushing(right, right);
        rig.unknownLevel(rig.flush(1, 0, 8, NO_LEVEL));
        rig.startFlushing(right, right);
        rig.fails(rig.flush(1, 1, Side.BYTES, FlushLevel.RANGE), WcStatus.REM_ACCESS_ERR);
        rig.startFlushing(right, 0);
        rig.fails(rig.flush(1, 0, 8, FlushLevel.RANGE), WcStatus.REM_ACCESS_ERR);
        rig.startFlushing(0, right);
        rig.fails(rig.flush(1, 0, 8, FlushLevel.RANGE), WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
    }

    @Rule(
            id = "R16.06",
            since = 3,
            says = "a flush as far as PERSISTENT needs that right, which memory has that is a mapped file, and other"
                    + " memory has not",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_wr_flush(3) (IBV_FLUSH_PERSISTENT), and the Javadoc of AccessFlags.FLUSH_PERSISTENT",
            needs = {
                Capability.RC,
                Capability.RDMA_WRITE,
                Capability.FLUSH,
                Capability.FLUSH_PERSISTENT,
                Capability.REGION_KEYS
            })
    default void r1606Persistent(RequestRig rig) throws IOException {
        int right = AccessFlags.FLUSH_PERSISTENT;
        rig.startFlushing(right | AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_GLOBAL);
        Seen.refuses(
                "regMr with FLUSH_PERSISTENT of memory that is not a mapped file",
                () -> rig.b.region(ByteBuffer.allocateDirect(PAGE), AccessFlags.LOCAL_WRITE | right),
                Errno.EINVAL);
        Path path = rig.file(2 * PAGE);
        MappedByteBuffer mapped = Memory.map(path);
        MemoryRegion lasting = rig.b.region(mapped, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | right);
        rig.a.post(rig.a
                .wr(WrOpcode.RDMA_WRITE, 1, rig.a.sge(0, 5000))
                .remoteAddr(lasting.addr())
                .rkey(lasting.rkey()));
        SendWorkRequest flush = rig.flush(2, 0, 5000, FlushLevel.RANGE)
                .flushType(FlushType.PERSISTENT)
                .remoteAddr(lasting.addr())
                .rkey(lasting.rkey());
        rig.a.post(flush);
        rig.a.next(1, WcStatus.SUCCESS);
        rig.a.next(2, WcStatus.SUCCESS);
        Seen.holds("the file after a flush", ByteBuffer.wrap(Files.readAllBytes(path)), 0, rig.a.memory, 0, 5000);
        rig.fails(rig.flush(3, 0, 8, FlushLevel.RANGE).flushType(FlushType.PERSISTENT), WcStatus.REM_ACCESS_ERR);
    }

    // ---- no-op

    @Rule(
            id = "R16.07",
            since = 3,
            says = "a no-op completes in its turn, where it is signalled",
            look = "QueuePair.postSend",
            man = "the Javadoc of WrOpcode.NOP",
            needs = {Capability.RC, Capability.NOP})
    default void r1607Nop(Rig rig) {
        rig.start();
        for (int i = 0; i < 3; i++) {
            rig.b.ready(10 + i, 4096 * i, 100);
        }
        SendWorkRequest quiet = rig.a.wr(WrOpcode.NOP, 2).sendFlags(0);
        SendWorkRequest told = rig.a.wr(WrOpcode.NOP, 3);
        rig.a.post(rig.a
                .operation(rig.b, 1, 0, 0, 100)
                .next(quiet.next(told.next(rig.a.operation(rig.b, 4, 4096, 4096, 100)))));
        rig.a.next(1, WcStatus.SUCCESS);
        Seen.opcode(rig.a.next(3, WcStatus.SUCCESS), WcOpcode.NOP);
        rig.a.next(4, WcStatus.SUCCESS);
        rig.a.moved(rig.b, 0, 0, 100);
        rig.a.moved(rig.b, 4096, 4096, 100);
        Seen.errno(
                "postSend of a no-op with an element",
                Errno.EINVAL,
                rig.a.qp.postSend(rig.a.wr(WrOpcode.NOP, 5, rig.a.sge(0, 8))));
        rig.a.qp.modify(new io.verbs4j.QpAttr().qpState(io.verbs4j.QpState.ERR));
        rig.a.post(rig.a.wr(WrOpcode.NOP, 6));
        rig.a.next(6, WcStatus.WR_FLUSH_ERR);
    }
}
