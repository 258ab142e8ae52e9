/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.PlainContext;
import io.verbs4j.rdmacore.layout.MrLayout;
import io.verbs4j.rdmacore.layout.MwLayout;
import io.verbs4j.rdmacore.memory.Pin;
import io.verbs4j.rdmacore.memory.RegionTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests that a driver finds in memory, at the offsets of {@code struct ibv_send_wr}. */
class SendAreaTest {
    private static final int MAX_SGE = 2;
    private static final int LKEY = 0x3300_0000;
    private static final long ADDR = 0x1100_0000_0000L;

    private final NativeProtectionDomain pd = new NativeProtectionDomain(new PlainContext(), 0x9000);
    private final RegionTable regions = new RegionTable();
    private final WindowBook book = new WindowBook(false);
    private final WindowLog windows = new WindowLog(book, () -> 7, false, 8, () -> {});
    private final List<Long> structs = new ArrayList<>();
    private final List<SendArea> areas = new ArrayList<>();

    @AfterEach
    void free() {
        areas.forEach(SendArea::free);
        structs.forEach(NativeMemory::free);
    }

    private SendArea area(int qpType) {
        SendArea area = new SendArea(3, MAX_SGE, qpType, -1, 0, pd, regions, windows);
        areas.add(area);
        return area;
    }

    private static ScatterGatherElement element(int number) {
        return new ScatterGatherElement()
                .addr(ADDR + number)
                .length(100 + number)
                .lkey(LKEY);
    }

    /** Sets every field that any opcode uses, each to its own value. */
    private SendWorkRequest full(int opcode) {
        return new SendWorkRequest()
                .wrId(0x7766_5544_3322_1100L)
                .opcode(opcode)
                .sendFlags(SendFlags.SIGNALED | SendFlags.FENCE)
                .immData(0x0102_0304)
                .remoteAddr(0xa1a2_a3a4_a5a6_a7a8L)
                .rkey(0xb1b2_b3b4)
                .compareAdd(0xc1c2_c3c4_c5c6_c7c8L)
                .swap(0xd1d2_d3d4_d5d6_d7d8L)
                .remoteQpn(0xe1e2_e3e4)
                .remoteQkey(0xf1f2_f3f4)
                .remoteSrqn(0x9192_9394)
                .sgList(element(1), element(2));
    }

    private void assertCommon(SendArea area, int opcode) {
        long wr = area.first();
        assertThat(NativeMemory.getLong(wr)).isEqualTo(0x7766_5544_3322_1100L);
        assertThat(NativeMemory.getInt(wr + 24)).isEqualTo(2);
        assertThat(NativeMemory.getInt(wr + 28)).isEqualTo(opcode);
        assertThat(NativeMemory.getInt(wr + 32)).isEqualTo(SendFlags.SIGNALED | SendFlags.FENCE);
        for (int i = 0; i < 4; i++) {
            assertThat(NativeMemory.getByte(wr + 36 + i)).as("network order").isEqualTo(i + 1);
        }
        long sges = NativeMemory.getLong(wr + 16);
        for (int i = 0; i < 2; i++) {
            assertThat(NativeMemory.getLong(sges + 16L * i)).isEqualTo(ADDR + 1 + i);
            assertThat(NativeMemory.getInt(sges + 16L * i + 8)).isEqualTo(101 + i);
            assertThat(NativeMemory.getInt(sges + 16L * i + 12)).isEqualTo(LKEY);
        }
    }

    @Test
    void rdmaAndSendMatchLayoutOfC() {
        for (int opcode = WrOpcode.RDMA_WRITE; opcode <= WrOpcode.RDMA_READ; opcode++) {
            SendArea area = area(QpType.RC);
            assertThat(area.put(0, full(opcode))).isZero();
            assertCommon(area, opcode);
            assertThat(NativeMemory.getLong(area.first() + 40)).isEqualTo(0xa1a2_a3a4_a5a6_a7a8L);
            assertThat(NativeMemory.getInt(area.first() + 48)).isEqualTo(0xb1b2_b3b4);
        }
    }

    /** The header is in memory that the process may read, and that stays while the driver copies it. */
    @Test
    void segmentationPinsItsHeader() {
        regions.add(LKEY, pd, ADDR, 4096, new Pin());
        SendArea area = area(QpType.RAW_PACKET);
        ScatterGatherElement header =
                new ScatterGatherElement().addr(ADDR + 64).length(54).lkey(LKEY);
        SendWorkRequest tso = full(WrOpcode.TSO).tsoHeader(header).mss(1460);

        assertThat(area.put(0, tso)).isZero();
        assertCommon(area, WrOpcode.TSO);
        assertThat(NativeMemory.getLong(area.first() + 80)).isEqualTo(ADDR + 64);
        assertThat(NativeMemory.getShort(area.first() + 88)).isEqualTo(54);
        assertThat(NativeMemory.getShort(area.first() + 90)).isEqualTo(1460);
        assertThat(area.put(1, full(WrOpcode.TSO).mss(1))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(1, full(WrOpcode.TSO).tsoHeader(header))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(1, tso.mss(65_536))).isEqualTo(Errno.EINVAL);
        header.addr(ADDR + 4096 - 53);
        assertThat(area.put(1, tso.mss(1))).as("beyond the region").isEqualTo(Errno.EINVAL);
        header.addr(ADDR).length(0);
        assertThat(area.put(1, tso)).isEqualTo(Errno.EINVAL);
        area.unpin();
    }

    @Test
    void atomicsMatchLayoutOfC() {
        for (int opcode : new int[] {WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD}) {
            SendArea area = area(QpType.RC);
            assertThat(area.put(0, full(opcode))).isZero();
            assertCommon(area, opcode);
            assertThat(NativeMemory.getLong(area.first() + 40)).isEqualTo(0xa1a2_a3a4_a5a6_a7a8L);
            assertThat(NativeMemory.getLong(area.first() + 48)).isEqualTo(0xc1c2_c3c4_c5c6_c7c8L);
            assertThat(NativeMemory.getLong(area.first() + 56)).isEqualTo(0xd1d2_d3d4_d5d6_d7d8L);
            assertThat(NativeMemory.getInt(area.first() + 64)).isEqualTo(0xb1b2_b3b4);
        }
    }

    @Test
    void xrcMatchesLayoutOfC() {
        SendArea area = area(QpType.XRC_SEND);
        assertThat(area.put(0, full(WrOpcode.RDMA_WRITE_WITH_IMM))).isZero();
        assertCommon(area, WrOpcode.RDMA_WRITE_WITH_IMM);
        assertThat(NativeMemory.getInt(area.first() + 72)).isEqualTo(0x9192_9394);
        assertThat(NativeMemory.getInt(area.first() + 48)).isEqualTo(0xb1b2_b3b4);
    }

    @Test
    void datagramsPinTheirAddressHandle() {
        SendArea area = area(QpType.UD);
        NativeAddressHandle ah = new NativeAddressHandle(pd, 0x5500_0000_0000L);
        assertThat(area.put(0, full(WrOpcode.SEND).ah(ah))).isZero();
        assertCommon(area, WrOpcode.SEND);
        assertThat(NativeMemory.getLong(area.first() + 40)).isEqualTo(0x5500_0000_0000L);
        assertThat(NativeMemory.getInt(area.first() + 48)).isEqualTo(0xe1e2_e3e4);
        assertThat(NativeMemory.getInt(area.first() + 52)).isEqualTo(0xf1f2_f3f4);
        area.unpin();
        ah.ibv.pin().close(); // would wait for ever if a pin was left
        assertThat(area.put(0, full(WrOpcode.SEND).ah(ah)))
                .as("a closed address handle")
                .isEqualTo(Errno.EINVAL);

        NativeProtectionDomain other = new NativeProtectionDomain(pd.context(), 0x9100);
        assertThat(area.put(0, full(WrOpcode.SEND).ah(new NativeAddressHandle(other, 1))))
                .isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, full(WrOpcode.SEND))).as("without").isEqualTo(Errno.EINVAL);
    }

    /** libibverbs copies inline data from any address, so the data must be in registered memory. */
    @Test
    void inlineDataPinsItsRegion() {
        SendArea area = area(QpType.RC);
        SendWorkRequest wr = full(WrOpcode.SEND).sendFlags(SendFlags.INLINE);
        assertThat(area.put(0, wr)).as("no region").isEqualTo(Errno.EINVAL);

        Pin pin = new Pin();
        regions.add(LKEY, pd, ADDR, 104, pin); // to the last byte of the second
        assertThat(area.put(0, wr)).isZero();
        assertThat(area.put(1, wr)).isZero();
        area.unpin();
        regions.remove(LKEY, pin);
        pin.close(); // would wait for ever if a pin was left

        Pin shorter = new Pin();
        regions.add(LKEY, pd, ADDR, 103, shorter);
        assertThat(area.put(0, wr)).as("one byte is outside").isEqualTo(Errno.EINVAL);
        shorter.close(); // the first element's pin was released
        assertThat(area.put(0, wr.sgList(element(-100)))).as("no bytes").isZero();
    }

    @Test
    void listIsLinkedAndEnds() {
        SendArea area = area(QpType.RC);
        for (int i = 0; i < area.capacity(); i++) {
            assertThat(area.put(i, full(WrOpcode.SEND).wrId(i))).isZero();
        }
        area.end(area.capacity() - 1);
        long wr = area.first();
        for (int i = 0; i < area.capacity(); i++) {
            assertThat(NativeMemory.getLong(wr)).isEqualTo(i);
            NativeMemory.putLong(area.badWr(), wr);
            assertThat(area.badIndex()).isEqualTo(i);
            wr = NativeMemory.getLong(wr + 8);
        }
        assertThat(wr).isZero();
    }

    private NativeMemoryWindow window(int key) {
        long at = NativeMemory.allocate(MwLayout.SIZEOF);
        structs.add(at);
        NativeMemory.putInt(at + MwLayout.RKEY, key);
        NativeMemoryWindow mw = new NativeMemoryWindow(pd, MwType.TYPE_2, new IbvMw(at));
        book.add(mw.ibv);
        book.available(true);
        return mw;
    }

    private NativeMemoryRegion region(NativeProtectionDomain of) {
        long at = NativeMemory.allocate(MrLayout.SIZEOF);
        structs.add(at);
        return new NativeMemoryRegion(of, ADDR, 4096, AccessFlags.MW_BIND, new IbvMr(at));
    }

    private static SendWorkRequest bind(NativeMemoryWindow mw, int key, MwBind what) {
        return new SendWorkRequest()
                .wrId(7)
                .opcode(WrOpcode.BIND_MW)
                .mw(mw)
                .mwRkey(key)
                .mwBind(what);
    }

    /** The driver names the window by the key in its struct, which therefore changes only after the post. */
    @Test
    void bindNamesWindowAndRegionAndEndsList() {
        NativeMemoryWindow mw = window(0x11223300);
        NativeMemoryRegion mr = region(pd);
        MwBind what = new MwBind().mr(mr).addr(ADDR + 5).length(77).mwAccessFlags(AccessFlags.REMOTE_READ);
        SendArea area = area(QpType.RC);
        assertThat(area.put(0, bind(mw, 0x112233ff, what))).isEqualTo(SendArea.LAST);
        long wr = area.first();
        assertThat(NativeMemory.getInt(wr + 28)).isEqualTo(WrOpcode.BIND_MW);
        assertThat(NativeMemory.getInt(wr + 36)).as("librxe refuses another").isZero();
        assertThat(NativeMemory.getInt(wr + 24)).isZero();
        assertThat(NativeMemory.getLong(wr + 80)).isEqualTo(mw.ibv.address());
        assertThat(NativeMemory.getInt(wr + 88)).isEqualTo(0x112233ff);
        assertThat(NativeMemory.getLong(wr + 96)).isEqualTo(mr.ibv.address());
        assertThat(NativeMemory.getLong(wr + 104)).isEqualTo(ADDR + 5);
        assertThat(NativeMemory.getLong(wr + 112)).isEqualTo(77);
        assertThat(NativeMemory.getInt(wr + 120)).isEqualTo(AccessFlags.REMOTE_READ);
        assertThat(mw.rkey()).isEqualTo(0x11223300);
        area.posted(true);
        area.unpin();
        assertThat(mw.rkey()).isEqualTo(0x112233ff);
        assertThat(area.put(0, bind(mw, 0x11223301, what))).isEqualTo(SendArea.LAST);
        area.posted(false);
        area.unpin();
        assertThat(mw.rkey()).isEqualTo(0x112233ff);
        mw.ibv.pin().close(); // would wait for ever if a pin was left
        mr.ibv.pin().close();
        assertThat(area.put(0, bind(mw, 0x11223301, what))).as("closed").isEqualTo(Errno.EINVAL);
    }

    @Test
    void incompleteBindIsRefused() {
        NativeMemoryWindow mw = window(0x11223300);
        MwBind what = new MwBind().mr(region(pd)).addr(ADDR).length(77).mwAccessFlags(AccessFlags.REMOTE_READ);
        SendArea area = area(QpType.RC);
        assertThat(area.put(0, bind(mw, 0x11223400, what))).as("key").isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bind(null, 0x11223301, what))).as("window").isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bind(mw, 0x11223301, null))).as("bind").isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bind(mw, 0x11223301, what).sgList(element(1))))
                .as("data")
                .isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bind(mw, 0x11223301, what.length(-1))))
                .as("length")
                .isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bind(mw, 0x11223301, what.length(1).mwAccessFlags(AccessFlags.LOCAL_WRITE))))
                .as("an access right of regions")
                .isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bind(mw, 0x11223301, what.mwAccessFlags(1 << 19))))
                .as("an unknown access right")
                .isEqualTo(Errno.EOPNOTSUPP);
        what.mwAccessFlags(0).mr(null);
        assertThat(area.put(0, bind(mw, 0x11223301, what))).as("no region").isEqualTo(Errno.EINVAL);
        what.mr(region(new NativeProtectionDomain(pd.context(), 0x9100)));
        assertThat(area.put(0, bind(mw, 0x11223301, what)))
                .as("a region of another domain")
                .isEqualTo(Errno.EINVAL);
        assertThat(area(QpType.XRC_SEND).put(0, bind(mw, 0x11223301, what.mr(region(pd)))))
                .as("a queue pair without remote access")
                .isEqualTo(Errno.EOPNOTSUPP);
        mw.ibv.pin().close();
    }

    @Test
    void invalidatedKeysKeepHostByteOrder() {
        SendArea area = area(QpType.RC);
        SendWorkRequest wr = full(WrOpcode.SEND_WITH_INV).invalidateRkey(0x01020304);
        assertThat(area.put(0, wr)).isZero();
        assertThat(NativeMemory.getInt(area.first() + 36)).isEqualTo(0x01020304);
        assertThat(area.put(1, wr.opcode(WrOpcode.LOCAL_INV))).as("with data").isEqualTo(Errno.EINVAL);
        wr.sgList(new ScatterGatherElement[0]);
        assertThat(area.put(1, wr)).isEqualTo(SendArea.LAST);
        long second = area.first() + 128;
        assertThat(NativeMemory.getInt(second + 28)).isEqualTo(WrOpcode.LOCAL_INV);
        assertThat(NativeMemory.getInt(second + 36)).isEqualTo(0x01020304);
    }

    @Test
    void onlyEnabledOperationsArePosted() {
        SendArea area = new SendArea(
                1, MAX_SGE, QpType.RC, QpCreateSendOps.SEND | QpCreateSendOps.BIND_MW, 0, pd, regions, windows);
        areas.add(area);
        assertThat(area.put(0, full(WrOpcode.SEND))).isZero();
        assertThat(area.put(0, full(WrOpcode.RDMA_WRITE))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, full(8))).as("without windows of type 2").isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, full(WrOpcode.SEND + 64))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, full(WrOpcode.SEND).sendFlags(1 << 5))).isEqualTo(Errno.EOPNOTSUPP);
    }

    private SendArea building(long built) {
        SendArea area = new SendArea(3, MAX_SGE, QpType.RC, -1, built, pd, regions, windows);
        areas.add(area);
        return area;
    }

    private SendWorkRequest bare(int opcode) {
        return full(opcode)
                .sgList(new ScatterGatherElement[0])
                .remoteAddr(0xa1a2_a3a4_a5a6_a7a8L)
                .atomicWriteValue(0x4142_4344_4546_4748L)
                .flushType(FlushType.GLOBAL)
                .flushLevel(FlushLevel.MR)
                .flushLength(0xffff_ffffL);
    }

    /** The offsets at which a driver's builder finds fields that C's work requests lack. */
    @Test
    void atomicWritesAndFlushesAreStoredForBuilder() {
        SendArea area = building(QpCreateSendOps.FLUSH | QpCreateSendOps.ATOMIC_WRITE);
        assertThat(area.put(0, full(WrOpcode.SEND))).isZero();
        assertThat(area.builds()).as("a send goes by post_send").isFalse();
        assertThat(area.put(1, bare(WrOpcode.ATOMIC_WRITE))).isZero();
        assertThat(area.builds()).isTrue();
        assertThat(area.put(2, bare(WrOpcode.FLUSH))).isZero();
        for (int i = 1; i <= 2; i++) {
            long wr = area.at(i);
            assertThat(wr).isEqualTo(area.first() + 128L * i);
            assertThat(NativeMemory.getLong(wr)).isEqualTo(0x7766_5544_3322_1100L);
            assertThat(NativeMemory.getInt(wr + 24)).isZero();
            assertThat(NativeMemory.getInt(wr + 28)).isEqualTo(i == 1 ? WrOpcode.ATOMIC_WRITE : WrOpcode.FLUSH);
            assertThat(NativeMemory.getInt(wr + 32)).isEqualTo(SendFlags.SIGNALED | SendFlags.FENCE);
            assertThat(NativeMemory.getLong(wr + 40)).isEqualTo(0xa1a2_a3a4_a5a6_a7a8L);
            assertThat(NativeMemory.getInt(wr + 48)).isEqualTo(0xb1b2_b3b4);
        }
        assertThat(NativeMemory.getLong(area.at(1) + SendArea.ATOMIC_VALUE)).isEqualTo(0x4142_4344_4546_4748L);
        assertThat(NativeMemory.getLong(area.at(2) + SendArea.FLUSH_LENGTH)).isEqualTo(0xffff_ffffL);
        assertThat(NativeMemory.getInt(area.at(2) + SendArea.FLUSH_TYPE)).isEqualTo(FlushType.GLOBAL);
        assertThat(NativeMemory.getInt(area.at(2) + SendArea.FLUSH_LEVEL)).isEqualTo(FlushLevel.MR);
        area.unpin();
        assertThat(area.builds()).as("of the next list").isFalse();
        area.end(0);
        area.refused(2);
        assertThat(area.badIndex()).isEqualTo(2);
    }

    @Test
    void invalidAtomicWritesAndFlushesAreRefused() {
        SendArea area = building(QpCreateSendOps.FLUSH | QpCreateSendOps.ATOMIC_WRITE);
        assertThat(area.put(0, bare(WrOpcode.ATOMIC_WRITE).remoteAddr(4))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bare(WrOpcode.ATOMIC_WRITE).sgList(element(1)))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).sgList(element(1)))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).flushType(0))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).flushType(4))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).flushLevel(2))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).flushLength(1L << 32))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).flushLength(-1))).isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, bare(WrOpcode.FLUSH).sendFlags(SendFlags.INLINE)))
                .isEqualTo(Errno.EINVAL);
        assertThat(area.builds()).isFalse();
    }

    /**
     * Each operation separately, because releases of a driver may have only one of them; operations that C's work
     * requests can express may be built as well.
     */
    @Test
    void operationsForBuilderAreChosenSeparately() {
        assertThat(building(QpCreateSendOps.ATOMIC_WRITE).put(0, bare(WrOpcode.FLUSH)))
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(building(QpCreateSendOps.FLUSH).put(0, bare(WrOpcode.ATOMIC_WRITE)))
                .isEqualTo(Errno.EOPNOTSUPP);
        SendArea area = building(QpCreateSendOps.SEND | QpCreateSendOps.LOCAL_INV);
        assertThat(area.put(0, full(WrOpcode.RDMA_WRITE))).isZero();
        assertThat(area.builds()).isFalse();
        assertThat(area.put(1, full(WrOpcode.LOCAL_INV).sgList(new ScatterGatherElement[0])))
                .isEqualTo(SendArea.LAST);
        assertThat(area.builds()).isTrue();
    }

    @Test
    void invalidRequestIsRefused() {
        SendArea area = area(QpType.RC);
        assertThat(area.put(0, full(-1))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, full(WrOpcode.TSO + 1))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, bare(WrOpcode.ATOMIC_WRITE)))
                .as("without a builder")
                .isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, bare(WrOpcode.FLUSH))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(area.put(0, full(WrOpcode.SEND).sgList(element(1), element(2), element(3))))
                .isEqualTo(Errno.EINVAL);
        assertThat(area.put(0, full(WrOpcode.SEND).sgList(new ScatterGatherElement[] {null}, 1)))
                .isEqualTo(Errno.EINVAL);
    }
}
