/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.OdpGeneralCaps;
import io.verbs4j.OdpTransportCaps;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ReregFlags;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory with other addresses or without any memory: {@code b}'s regions, used by {@code a} and by {@code b} itself.
 */
@WithOneCopy
class MemoryPathsTest extends MemoryPaths {
    // ---- other addresses

    private ByteBuffer part(int at, int bytes) {
        return b.buffer.duplicate().position(at).limit(at + bytes).slice();
    }

    /** A region that begins at 1001, or 8 bytes before, under another address. */
    private MemoryRegion named(long name) {
        return b.opened(b.pd.regMrEx(new RegMrAttrEx()
                .addr(b.mr.addr() + 1000)
                .length(300_000)
                .access(Side.ALL_ACCESS)
                .iova(name)));
    }

    /** The same for a buffer, whose address nobody needs to know. */
    private MemoryRegion namedBuffer(long name) {
        return b.opened(b.pd.regMrEx(new RegMrAttrEx()
                .buffer(part(1000, 300_000))
                .access(Side.ALL_ACCESS)
                .iova(name)));
    }

    private MemoryRegion zeroBased() {
        return b.opened(b.pd.regMr(part(1000, 300_000), ZERO));
    }

    private void isAllThatItWasMadeOf(MemoryRegion mr, long name) {
        assertThat(mr.addr()).isEqualTo(name);
        assertThat(mr.length()).isEqualTo(300_000);
        works(request(WrOpcode.RDMA_WRITE, mr, name, 200_000));
        b.assertPattern(1000, 1, 0, 200_000);
        b.assertPattern(999, 2, 999, 1);
        works(request(WrOpcode.RDMA_WRITE, mr, name + 299_999, 1));
        b.assertPattern(300_999, 1, 0, 1);
        b.assertPattern(301_000, 2, 301_000, 1);
        b.fill(3);
        works(request(WrOpcode.RDMA_READ, mr, name, 300_000));
        a.assertPattern(0, 3, 1000, 300_000);
        works(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, name + 8, 8).compareAdd(1));
        a.assertPattern(0, 3, 1008, 8);
        assertThat(b.buffer.get(1008)).isEqualTo((byte) (Side.pattern(3, 1008) + 1));
        isRefused(request(WrOpcode.RDMA_WRITE, mr, name + 299_999, 2), WcStatus.REM_ACCESS_ERR);
        isRefused(request(WrOpcode.RDMA_READ, mr, name - 1, 1), WcStatus.REM_ACCESS_ERR);
        isRefused(request(WrOpcode.RDMA_READ, mr, b.mr.addr() + 1000, 1), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void peerUsesZeroBasedMemory() {
        start();
        isAllThatItWasMadeOf(zeroBased(), 0);
    }

    @Test
    void peerUsesMemoryWithOtherAddress() {
        start();
        isAllThatItWasMadeOf(named(0x7654_3210_fedc_b000L), 0x7654_3210_fedc_b000L);
    }

    /** Such an address may be at the upper end of the address space. */
    @Test
    void peerUsesMemoryWithHighestAddress() {
        start();
        isAllThatItWasMadeOf(named(-300_008), -300_008);
    }

    @Test
    void peerUsesBufferWithOtherAddress() {
        start();
        isAllThatItWasMadeOf(namedBuffer(0x1234_5000L), 0x1234_5000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x1_0000_0000_0000L, -400_000})
    void listsUseMemoryWithOtherAddress(long name) {
        start();
        MemoryRegion mr = name == 0 ? zeroBased() : named(name);
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 2, piece(mr, name + 10, 5000), piece(mr, name, 10))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        a.assertPattern(0, 2, 1010, 5000);
        a.assertPattern(5000, 2, 1000, 10);
        a.fill(1);
        b.post(Side.wr(WrOpcode.RDMA_READ, 3, piece(mr, name + 100, 10), piece(mr, name, 90))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(3, WcStatus.SUCCESS);
        b.assertPattern(1100, 1, 0, 10);
        b.assertPattern(1000, 1, 10, 90);
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(4).sgList(piece(mr, name + 7, 3000))))
                .isZero();
        works(Side.wr(WrOpcode.SEND, 5, a.sge(0, 3000)));
        b.next(4, WcStatus.SUCCESS);
        b.assertPattern(1007, 1, 0, 3000);
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 6, piece(mr, name + 1, 20))
                .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(6, WcStatus.SUCCESS);
        assertThat(a.buffer.get(6)).isEqualTo(b.buffer.get(1007));
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 7, piece(mr, name + 299_999, 2))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(7, WcStatus.LOC_PROT_ERR);
    }

    /** What a processor can do atomically depends on the real address of the memory. */
    @Test
    void atomicsOnUnalignedMemoryFail() {
        start();
        MemoryRegion mr = b.opened(b.pd.regMr(part(1001, 100), ZERO));
        isRefused(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, 0, 8).compareAdd(1), WcStatus.REM_INV_REQ_ERR);
        b.assertPattern(1001, 2, 1001, 8);
        assertThat(a.qp.postSend(request(WrOpcode.ATOMIC_FETCH_AND_ADD, mr, 7, 8)))
                .as("post with an unaligned address")
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void invalidAddressesAreRefused() {
        start();
        RegMrAttrEx attr = new RegMrAttrEx()
                .addr(b.mr.addr())
                .length(100)
                .access(AccessFlags.LOCAL_WRITE | AccessFlags.ZERO_BASED)
                .iova(1);
        assertThat(errno(() -> b.pd.regMrEx(attr))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regMrEx(attr.access(0).iova(-50)))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> b.pd.regMrEx(attr.iova(0).addr(8)))).isEqualTo(Errno.EFAULT);
        assertThat(errno(() ->
                        b.pd.regMrEx(attr.addr(b.mr.addr()).access(AccessFlags.LOCAL_WRITE | AccessFlags.HUGETLB))))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    @Test
    void reregisteredRegionChangesAddress() {
        start();
        MemoryRegion mr = named(0x1000_0000L);
        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, ZERO);
        isAllThatItWasMadeOf(mr, 0);
        b.fill(2);
        a.fill(1);
        mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, Side.ALL_ACCESS);
        isAllThatItWasMadeOf(mr, 0x1000_0000L);
        b.fill(2);
        a.fill(1);
        mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, b.mr.addr() + 8, 100, 0);
        assertThat(mr.addr()).isEqualTo(b.mr.addr() + 8);
        works(request(WrOpcode.RDMA_WRITE, mr, mr.addr(), 100));
        b.assertPattern(8, 1, 0, 100);
    }

    // ---- windows

    private void bind(MemoryWindow mw, MwBind bind, int status) {
        b.post(Side.wr(WrOpcode.BIND_MW, 70)
                .mw(mw)
                .mwRkey(MemoryWindow.incRkey(mw.rkey()))
                .mwBind(bind));
        b.next(70, status);
    }

    private SendWorkRequest through(MemoryWindow mw, int opcode, long addr, int bytes) {
        return Side.wr(opcode, 1, a.sge(0, bytes)).remoteAddr(addr).rkey(mw.rkey());
    }

    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    @ParameterizedTest
    @ValueSource(longs = {0, 0x1_0000_0000_0000L})
    void windowCanBeZeroBased(long name) {
        start();
        MemoryRegion mr = name == 0 ? b.mr : named(name);
        long from = mr.addr();
        int at = name == 0 ? 0 : 1000;
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        MwBind bind = new MwBind().mr(mr).addr(from + 16).length(4000);
        bind(mw, bind.mwAccessFlags(RIGHTS | AccessFlags.ZERO_BASED), WcStatus.SUCCESS);
        works(through(mw, WrOpcode.RDMA_WRITE, 0, 3000));
        b.assertPattern(at + 16, 1, 0, 3000);
        b.assertPattern(at + 15, 2, at + 15, 1);
        works(through(mw, WrOpcode.RDMA_WRITE, 3999, 1));
        b.assertPattern(at + 16 + 3999, 1, 0, 1);
        works(through(mw, WrOpcode.RDMA_READ, 0, 4000));
        works(through(mw, WrOpcode.ATOMIC_FETCH_AND_ADD, 0, 8));
        a.fill(1);
        b.post(Side.wr(WrOpcode.LOCAL_INV, 71).invalidateRkey(mw.rkey()));
        b.next(71, WcStatus.SUCCESS);
        bind(mw, bind.mwAccessFlags(RIGHTS), WcStatus.SUCCESS); // and no longer zero-based
        works(through(mw, WrOpcode.RDMA_WRITE, from + 16, 4000));
        isRefused(through(mw, WrOpcode.RDMA_WRITE, 0, 1), WcStatus.REM_ACCESS_ERR);
        bind(mw, bind.mwAccessFlags(RIGHTS | AccessFlags.ZERO_BASED), WcStatus.SUCCESS);
        isRefused(through(mw, WrOpcode.RDMA_WRITE, from + 16, 1), WcStatus.REM_ACCESS_ERR);
        bind(mw, bind.mwAccessFlags(RIGHTS | AccessFlags.ZERO_BASED), WcStatus.SUCCESS);
        isRefused(through(mw, WrOpcode.RDMA_WRITE, 3999, 2), WcStatus.REM_ACCESS_ERR);
    }

    /** The specification does not allow it. */
    @Test
    void windowOfZeroBasedMemoryIsRefused() {
        start();
        MemoryRegion mr = b.opened(b.pd.regMr(b.buffer, ZERO | AccessFlags.MW_BIND));
        MwBind bind = new MwBind().mr(mr).addr(0).length(100).mwAccessFlags(AccessFlags.REMOTE_READ);
        MemoryWindow one = b.opened(b.pd.allocMw(MwType.TYPE_1));
        assertThat(b.qp.bindMw(one, bind)).isEqualTo(Errno.EINVAL);
        bind(b.opened(b.pd.allocMw(MwType.TYPE_2)), bind, WcStatus.MW_BIND_ERR);
    }

    // ---- null regions

    @Test
    void nullRegionDropsWritesAndReadsZeros() {
        start();
        MemoryRegion none = b.opened(b.pd.allocNullMr());
        assertThat(none.addr()).isZero();
        assertThat(none.length()).isEqualTo(-1);
        assertThat(none.rkey()).isZero();
        b.post(Side.wr(WrOpcode.RDMA_WRITE, 2, b.sge(0, 100), piece(none, 5, 4000), b.sge(100, 100))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(2, WcStatus.SUCCESS);
        a.assertPattern(0, 2, 0, 100);
        for (int i = 100; i < 4100; i++) {
            assertThat(a.buffer.get(i)).isZero();
        }
        a.assertPattern(4100, 2, 100, 100);
        a.assertPattern(4200, 1, 4200, 10);
        a.fill(1);
        b.post(Side.wr(WrOpcode.RDMA_READ, 3, b.sge(0, 10), piece(none, -5000, 4990), b.sge(10, 10))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(3, WcStatus.SUCCESS);
        b.assertPattern(0, 1, 0, 10);
        b.assertPattern(10, 1, 5000, 10);
        b.assertPattern(20, 2, 20, 1000);
        assertThat(b.qp.postRecv(new RecvWorkRequest().wrId(4).sgList(piece(none, 0, 1 << 20), b.sge(0, 5))))
                .isZero();
        works(Side.wr(WrOpcode.SEND, 5, a.sge(0, 50_000)));
        assertThat(b.next(4, WcStatus.SUCCESS).byteLen()).isEqualTo(50_000);
        b.assertPattern(0, 1, 0, 5);
        b.post(Side.wr(WrOpcode.ATOMIC_FETCH_AND_ADD, 6, piece(none, 0, 8))
                .remoteAddr(a.mr.addr())
                .rkey(a.mr.rkey()));
        b.next(6, WcStatus.SUCCESS);
        isRefused(Side.wr(WrOpcode.RDMA_WRITE, 7, a.sge(0, 8)).rkey(none.lkey()), WcStatus.REM_ACCESS_ERR);
        assertThat(errno(() -> none.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0)))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    /** Both sides use null regions. */
    @Test
    void nullRegionsSendAndReceive() {
        start();
        MemoryRegion mine = a.opened(a.pd.allocNullMr());
        MemoryRegion yours = b.opened(b.pd.allocNullMr());
        assertThat(b.qp.postRecv(new RecvWorkRequest()
                        .wrId(4)
                        .sgList(piece(yours, 0, 3), b.sge(0, 100), piece(yours, 0, 1 << 20))))
                .isZero();
        works(Side.wr(WrOpcode.SEND, 5, piece(mine, 77, 10_000), a.sge(0, 10)));
        assertThat(b.next(4, WcStatus.SUCCESS).byteLen()).isEqualTo(10_010);
        assertThat(b.buffer.get(0) | b.buffer.get(99)).isZero();
        b.assertPattern(100, 2, 100, 10);
    }

    // ---- reported capabilities

    @Test
    void reportedCapabilitiesAreTrue() {
        make(side -> {});
        DeviceAttrEx ex = b.context.queryDeviceEx();
        int told = ex.mrAccessFlags();
        for (int bit = 0; bit < 30; bit++) {
            int right = 1 << bit;
            if (right == AccessFlags.FLUSH_PERSISTENT) {
                continue; // requires memory of a file
            }
            int access = AccessFlags.LOCAL_WRITE | right;
            int answer = errno(() -> b.pd.regMr(b.buffer, access).close());
            assertThat(answer).as(AccessFlags.toString(right)).isEqualTo((told & right) != 0 ? 0 : Errno.EOPNOTSUPP);
        }
        assertThat(ex.odpGeneralCaps()).isEqualTo(OdpGeneralCaps.SUPPORT);
        assertThat(errno(() -> b.pd.regMr(0, -1, AccessFlags.ON_DEMAND)))
                .as("implicit region")
                .isEqualTo(Errno.EOPNOTSUPP);
        int six = 63;
        assertThat(ex.odpRcCaps() & six).isEqualTo(six);
        assertThat(ex.xrcOdpCaps() & six).isEqualTo(six);
        assertThat(ex.odpUcCaps() & six)
                .isEqualTo(OdpTransportCaps.SEND
                        | OdpTransportCaps.RECV
                        | OdpTransportCaps.WRITE
                        | OdpTransportCaps.SRQ_RECV);
        assertThat(ex.odpUdCaps() & six)
                .isEqualTo(OdpTransportCaps.SEND | OdpTransportCaps.RECV | OdpTransportCaps.SRQ_RECV);
    }
}
