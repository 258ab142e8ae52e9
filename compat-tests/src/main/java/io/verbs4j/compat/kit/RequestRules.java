/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** R16: operations of level 3 that are about the peer's memory, or about none: atomic write, flush, no-op. */
abstract class RequestRules extends WindowRules {
    static final int PAGE = 4096;
    private static final int NO_LEVEL = 9;

    /** For {@link ProviderKit}. */
    RequestRules() {}

    // ---- what the rules of level 3 share

    /** Memory that begins at a page. */
    static ByteBuffer pages(int bytes) {
        return ByteBuffer.allocateDirect(bytes + PAGE)
                .alignedSlice(PAGE)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
    }

    /** A new file of so many bytes, deleted with the test. */
    Path file(int bytes) throws IOException {
        Path path = Files.createTempFile("kit", ".bin");
        opened(() -> Files.deleteIfExists(path));
        Files.write(path, new byte[bytes]);
        return path;
    }

    static MappedByteBuffer map(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        }
    }

    /** Checks that bytes are those of a side's memory. */
    static void holds(String what, ByteBuffer buffer, int offset, Memory of, int from, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.get(offset + i) != of.at(from + i)) {
                Seen.check(false, what + ": byte " + i + " of " + length + " is not as sent");
            }
        }
    }

    static void opcode(WorkCompletion wc, int expected) {
        Seen.equal("opcode", WcOpcode.toString(expected), WcOpcode.toString(wc.opcode()));
    }

    /** A request of {@code a} that fails where it arrives; both sides are made anew after it. */
    void fails(SendWorkRequest wr, int... statuses) {
        a.post(wr);
        a.next(wr.wrId(), statuses);
    }

    /** A request of {@code a} that is wrong in itself: it is refused, or fails. */
    void refusedOrFails(String what, SendWorkRequest wr, int... statuses) {
        int errno = a.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        } else {
            a.next(wr.wrId(), statuses);
        }
    }

    // ---- what there is

    @Rule(
            id = "R16.01",
            since = 3,
            says =
                    "the operations of level 3 that the kit is told of are those that queryDeviceEx tells; others answer EOPNOTSUPP",
            look = {"the function in the slot QUERY_DEVICE_EX", "QueuePair.postSend"},
            man = "the Javadoc of DeviceAttrEx.sendOpsRc, of WrOpcode and of QueuePair.postSend",
            needs = {Capability.RC, Capability.QUERY_DEVICE_EX})
    final void r1601Told() {
        start();
        DeviceAttrEx attr = a.context.queryDeviceEx();
        for (LaterOperation operation : LaterOperation.values()) {
            boolean stated = operation.capability.in(this);
            String where = ", where " + operation.capability.method() + "() says " + stated + ",";
            Seen.equal(
                    "whether sendOpsRc of queryDeviceEx has " + operation + where,
                    stated,
                    (attr.sendOpsRc() & operation.bit) != 0);
            if (!stated) {
                int answer = a.qp.postSend(operation.request(a, b));
                Seen.errno("postSend of " + operation + where, Errno.EOPNOTSUPP, answer);
            }
            if (hasSendOps()) {
                atCreation(operation.bit, stated, where);
            }
        }
        if (attr.has(DeviceAttrEx.SEND_OPS_RC)) {
            for (Operation operation : Operation.values()) {
                Seen.equal(
                        "whether sendOpsRc of queryDeviceEx has " + operation + ", where " + operation.methods()
                                + " says " + operation.isStated(this) + ",",
                        operation.isStated(this),
                        (attr.sendOpsRc() & operation.bit) != 0);
            }
        }
        cap(attr, Capability.ATOMIC_WRITE, DeviceCap.ATOMIC_WRITE);
        cap(attr, Capability.FLUSH, DeviceCap.FLUSH_GLOBAL);
        int sizes = attr.maskedAtomicSizes();
        Seen.equal(
                "whether maskedAtomicSizes tells sizes, where hasMaskedAtomics() says " + hasMaskedAtomics() + ",",
                hasMaskedAtomics(),
                sizes != 0);
        a.exchange(b, 1, 0, 0, 100);
    }

    private void atCreation(long bit, boolean stated, String where) {
        QpInitAttrEx with = QpInitAttrEx.of(a.pd, a.qpInit()).sendOpsFlags(bit);
        if (stated) {
            opened(a.context.createQpEx(with));
        } else {
            Seen.refuses(
                    "createQpEx with sendOpsFlags " + QpCreateSendOps.toString(bit) + where,
                    () -> opened(a.context.createQpEx(with)),
                    Errno.EOPNOTSUPP);
        }
    }

    private void cap(DeviceAttrEx attr, Capability capability, long bit) {
        Seen.check(
                !capability.in(this) || (attr.deviceCapFlagsEx() & bit) != 0,
                capability.method() + "() says true, and deviceCapFlagsEx of queryDeviceEx lacks "
                        + DeviceCap.toString(bit));
    }

    // ---- atomic write

    SendWorkRequest atomicWrite(long wrId, int offset, long value) {
        return a.to(b, offset, a.wr(WrOpcode.ATOMIC_WRITE, wrId)).atomicWriteValue(value);
    }

    @Rule(
            id = "R16.02",
            since = 3,
            says =
                    "an atomic write puts 8 bytes where it is told, as a number of this machine, and nothing beside them",
            look = "QueuePair.postSend",
            man = "ibv_wr_atomic_write(3), and the Javadoc of WrOpcode.ATOMIC_WRITE",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ATOMIC_WRITE})
    final void r1602AtomicWrite() {
        start();
        for (long value : new long[] {0x0102_0304_0506_0708L, -2, 0}) {
            a.post(atomicWrite(1, 64, value));
            opcode(a.next(1, WcStatus.SUCCESS), WcOpcode.ATOMIC_WRITE);
            Seen.equal("what an atomic write has written", hex(value), hex(b.memory.buffer.getLong(64)));
        }
        b.memory.untouched(0, 64);
        b.memory.untouched(72, 1000);
        SendWorkRequest second = atomicWrite(3, 128, 7);
        SendWorkRequest first = a.to(b, 128, a.wr(WrOpcode.RDMA_WRITE, 2, a.sge(0, 8)));
        a.post(first.next(second));
        a.next(2, WcStatus.SUCCESS);
        a.next(3, WcStatus.SUCCESS);
        Seen.equal("what an atomic write behind an RDMA write has written", 7L, b.memory.buffer.getLong(128));
        b.nothing("on the side that was written to");
    }

    static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    @Rule(
            id = "R16.03",
            since = 3,
            says = "an atomic write needs an address that is a multiple of 8, no elements, and the rights of a write",
            look = "QueuePair.postSend",
            man = "ibv_wr_atomic_write(3), and the Javadoc of WrOpcode.ATOMIC_WRITE",
            needs = {Capability.RC, Capability.RDMA_WRITE, Capability.ATOMIC_WRITE, Capability.REGION_KEYS})
    final void r1603AtomicWriteRefused() {
        start();
        Seen.errno(
                "postSend of an atomic write with an element",
                Errno.EINVAL,
                a.qp.postSend(atomicWrite(1, 64, 1).sgList(a.sge(0, 8))));
        refusedOrFails(
                "an atomic write to an address that is 4 mod 8", atomicWrite(1, 68, 1), WcStatus.REM_INV_REQ_ERR);
        b.memory.untouched(0, 1000);
        start();
        fails(atomicWrite(1, Side.BYTES, 1), WcStatus.REM_ACCESS_ERR);
        start();
        MemoryRegion readOnly = b.region(ByteBuffer.allocateDirect(64).alignedSlice(8), AccessFlags.LOCAL_WRITE);
        fails(atomicWrite(1, 0, 1).remoteAddr(readOnly.addr()).rkey(readOnly.rkey()), WcStatus.REM_ACCESS_ERR);
        start(s -> s.access = 0);
        fails(atomicWrite(1, 64, 1), WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
        b.memory.untouched(0, 1000);
    }

    // ---- flush

    void startFlushing(int qpRights, int regionRights) {
        start(s -> {
            s.access |= qpRights;
            s.regionAccess |= regionRights;
        });
    }

    SendWorkRequest flush(long wrId, int offset, long length, int level) {
        return a.to(b, offset, a.wr(WrOpcode.FLUSH, wrId))
                .flushType(FlushType.GLOBAL)
                .flushLevel(level)
                .flushLength(length);
    }

    @Rule(
            id = "R16.04",
            since = 3,
            says = "a flush, of a range or of all of the region, completes behind what was written",
            look = "QueuePair.postSend",
            man = "ibv_wr_flush(3), and the Javadoc of WrOpcode.FLUSH",
            needs = {Capability.RC, Capability.FLUSH})
    final void r1604Flush() {
        startFlushing(AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_GLOBAL);
        for (int level : new int[] {FlushLevel.RANGE, FlushLevel.MR}) {
            if (hasRdmaWrite()) {
                a.post(a.to(b, 100, a.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 5000))));
            }
            a.post(flush(2, 100, 5000, level));
            if (hasRdmaWrite()) {
                a.next(1, WcStatus.SUCCESS);
            }
            opcode(a.next(2, WcStatus.SUCCESS), WcOpcode.FLUSH);
            if (hasRdmaWrite()) {
                b.memory.holds(100, a.memory, 0, 5000);
            }
        }
        // Of the whole region no range counts.
        a.post(flush(3, 0, Side.BYTES + 1L, FlushLevel.MR));
        a.next(3, WcStatus.SUCCESS);
        b.nothing("on the side that was flushed");
    }

    /** Nobody has heard of it: that is told when it is posted, or by the other side. */
    private void unknownLevel(SendWorkRequest wr) {
        int errno = a.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of a flush of level " + NO_LEVEL, Errno.EOPNOTSUPP, errno);
        } else {
            a.next(wr.wrId(), WcStatus.REM_INV_REQ_ERR);
        }
    }

    @Rule(
            id = "R16.05",
            since = 3,
            says =
                    "a flush needs a type and a level that there are, a range within the region, and the right of region and queue pair",
            look = "QueuePair.postSend",
            man = "ibv_wr_flush(3), and the Javadoc of WrOpcode.FLUSH",
            needs = {Capability.RC, Capability.FLUSH, Capability.REGION_KEYS})
    final void r1605FlushRefused() {
        int right = AccessFlags.FLUSH_GLOBAL;
        startFlushing(right, right);
        refusedOrFails("a flush of no type", flush(1, 0, 8, 0).flushType(0), WcStatus.REM_INV_REQ_ERR);
        startFlushing(right, right);
        unknownLevel(flush(1, 0, 8, NO_LEVEL));
        startFlushing(right, right);
        fails(flush(1, 1, Side.BYTES, FlushLevel.RANGE), WcStatus.REM_ACCESS_ERR);
        startFlushing(right, 0);
        fails(flush(1, 0, 8, FlushLevel.RANGE), WcStatus.REM_ACCESS_ERR);
        startFlushing(0, right);
        fails(flush(1, 0, 8, FlushLevel.RANGE), WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR);
    }

    @Rule(
            id = "R16.06",
            since = 3,
            says =
                    "a flush as far as PERSISTENT needs that right, which memory has that is a mapped file, and other memory has not",
            look = {"QueuePair.postSend", "ContextOps.regMrBuffer"},
            man = "ibv_wr_flush(3) (IBV_FLUSH_PERSISTENT), and the Javadoc of AccessFlags.FLUSH_PERSISTENT",
            needs = {
                Capability.RC,
                Capability.RDMA_WRITE,
                Capability.FLUSH,
                Capability.FLUSH_PERSISTENT,
                Capability.REGION_KEYS
            })
    final void r1606Persistent() throws IOException {
        int right = AccessFlags.FLUSH_PERSISTENT;
        startFlushing(right | AccessFlags.FLUSH_GLOBAL, AccessFlags.FLUSH_GLOBAL);
        Seen.refuses(
                "regMr with FLUSH_PERSISTENT of memory that is no mapped file",
                () -> b.region(ByteBuffer.allocateDirect(PAGE), AccessFlags.LOCAL_WRITE | right),
                Errno.EINVAL);
        Path path = file(2 * PAGE);
        MappedByteBuffer mapped = map(path);
        MemoryRegion lasting = b.region(mapped, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | right);
        a.post(a.wr(WrOpcode.RDMA_WRITE, 1, a.sge(0, 5000))
                .remoteAddr(lasting.addr())
                .rkey(lasting.rkey()));
        SendWorkRequest flush = flush(2, 0, 5000, FlushLevel.RANGE)
                .flushType(FlushType.PERSISTENT)
                .remoteAddr(lasting.addr())
                .rkey(lasting.rkey());
        a.post(flush);
        a.next(1, WcStatus.SUCCESS);
        a.next(2, WcStatus.SUCCESS);
        holds("what the file has after a flush", ByteBuffer.wrap(Files.readAllBytes(path)), 0, a.memory, 0, 5000);
        fails(flush(3, 0, 8, FlushLevel.RANGE).flushType(FlushType.PERSISTENT), WcStatus.REM_ACCESS_ERR);
    }

    // ---- no-op

    @Rule(
            id = "R16.07",
            since = 3,
            says = "a no-op completes in its turn, where it is signalled",
            look = "QueuePair.postSend",
            man = "the Javadoc of WrOpcode.NOP",
            needs = {Capability.RC, Capability.NOP})
    final void r1607Nop() {
        start();
        for (int i = 0; i < 3; i++) {
            b.ready(10 + i, 4096 * i, 100);
        }
        SendWorkRequest quiet = a.wr(WrOpcode.NOP, 2).sendFlags(0);
        SendWorkRequest told = a.wr(WrOpcode.NOP, 3);
        a.post(a.operation(b, 1, 0, 0, 100).next(quiet.next(told.next(a.operation(b, 4, 4096, 4096, 100)))));
        a.next(1, WcStatus.SUCCESS);
        opcode(a.next(3, WcStatus.SUCCESS), WcOpcode.NOP);
        a.next(4, WcStatus.SUCCESS);
        a.moved(b, 0, 0, 100);
        a.moved(b, 4096, 4096, 100);
        Seen.errno(
                "postSend of a no-op with an element", Errno.EINVAL, a.qp.postSend(a.wr(WrOpcode.NOP, 5, a.sge(0, 8))));
        a.qp.modify(new io.verbs4j.QpAttr().qpState(io.verbs4j.QpState.ERR));
        a.post(a.wr(WrOpcode.NOP, 6));
        a.next(6, WcStatus.WR_FLUSH_ERR);
    }
}
