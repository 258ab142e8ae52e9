/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.FastRegister;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendBuilder;
import io.verbs4j.SendFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import org.junit.jupiter.api.Test;

/** Keys through a builder: {@code b} maps and invalidates them, {@code a} uses them. */
@WithOneCopy
class BuilderKeysPathsTest extends EachPath {
    private static final int SIGNALED = SendFlags.SIGNALED;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;

    /** The address of the key's first byte. */
    private static final long BASE = 0x7000_1234_5000L;

    private SendBuilder builder;
    private MemoryRegion key;

    private void startWithKey() {
        start();
        builder = b.qp.builder();
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(4)));
    }

    private FastRegister next(int access) {
        return new FastRegister()
                .mr(key)
                .key(MemoryWindow.incRkey(key.rkey()))
                .access(access)
                .addr(BASE);
    }

    private void piece(int offset, int length) {
        ScatterGatherElement e = b.sge(offset, length);
        builder.sge(e.lkey(), e.addr(), e.length());
    }

    private void writes(long wrId, long addr, int rkey, int from, int length, int status) {
        SendBuilder peers = a.qp.builder();
        ScatterGatherElement e = a.sge(from, length);
        peers.start();
        peers.write(wrId, SIGNALED, rkey, addr, e.lkey(), e.addr(), e.length());
        assertThat(peers.complete()).isZero();
        a.next(wrId, status);
    }

    /** Two registrations in one batch, each with its own key, pieces and rights. */
    @Test
    void batchedRegistrationsMapTheirPieces() {
        startWithKey();
        MemoryRegion first = key;
        FastRegister ofFirst = next(RIGHTS);
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(4)));
        builder.start();
        builder.regMr(1, SIGNALED, ofFirst);
        piece(50_001, 3);
        piece(7, 1000);
        piece(90_000, 1);
        builder.regMr(2, SIGNALED, next(AccessFlags.LOCAL_WRITE));
        piece(2000, 64);
        ofFirst.key(0).access(0).addr(0).mr(null); // the builder has copied it
        assertThat(builder.complete()).isZero();
        assertThat(b.next(1, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.REG_MR);
        b.next(2, WcStatus.SUCCESS);
        assertThat(first.lkey()).isEqualTo(first.rkey());

        writes(3, BASE, first.rkey(), 100, 1004, WcStatus.SUCCESS);
        b.assertPattern(50_001, 1, 100, 3);
        b.assertPattern(7, 1, 103, 1000);
        b.assertPattern(90_000, 1, 1103, 1);
        b.assertPattern(90_001, 2, 90_001, 100);
        writes(4, BASE, key.rkey(), 100, 8, WcStatus.REM_ACCESS_ERR); // no right to write there
        b.assertPattern(2000, 2, 2000, 64);
    }

    /** Invalidates and maps the key again in one batch; the old key fails afterwards. */
    @Test
    void keyIsInvalidatedAndMappedAgain() {
        startWithKey();
        FastRegister register = next(RIGHTS);
        builder.start();
        builder.regMr(1, SIGNALED, register);
        piece(1000, 100);
        assertThat(builder.complete()).isZero();
        int old = key.rkey();
        builder.start();
        builder.localInv(2, SIGNALED, old);
        builder.regMr(3, SIGNALED | SendFlags.FENCE, next(RIGHTS));
        piece(5000, 100);
        assertThat(builder.complete()).isZero();
        b.next(1, WcStatus.SUCCESS);
        assertThat(b.next(2, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.LOCAL_INV);
        b.next(3, WcStatus.SUCCESS);

        writes(4, BASE, key.rkey(), 0, 100, WcStatus.SUCCESS);
        b.assertPattern(5000, 1, 0, 100);
        b.assertPattern(1000, 2, 1000, 100);
        writes(5, BASE, old, 0, 8, WcStatus.REM_ACCESS_ERR);
    }

    /** Maps a key and reads into it; the completion of the read reports the invalidation. */
    @Test
    void readInvalidatesItsKey() {
        startWithKey();
        FastRegister register = next(AccessFlags.LOCAL_WRITE);
        builder.start();
        builder.regMr(1, 0, register);
        piece(3000, 40);
        piece(6000, 60);
        builder.readWithInv(2, SIGNALED, a.mr.rkey(), a.mr.addr() + 500).sge(register.key(), BASE, 100);
        assertThat(builder.complete()).isZero();
        WorkCompletion wc = b.next(2, WcStatus.SUCCESS);
        assertThat(wc.opcode()).isEqualTo(WcOpcode.RDMA_READ);
        assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
        assertThat(wc.invalidatedRkey()).isEqualTo(register.key());
        b.assertPattern(3000, 1, 500, 40);
        b.assertPattern(6000, 1, 540, 60);

        builder.start();
        builder.write(3, SIGNALED, a.mr.rkey(), a.mr.addr()).sge(register.key(), BASE, 8);
        assertThat(builder.complete()).isZero();
        b.next(3, WcStatus.LOC_PROT_ERR);
    }

    /** Binds two windows in one batch, then invalidates one and binds it to another part. */
    @Test
    void batchedBindsMapTheirParts() {
        start();
        builder = b.qp.builder();
        MemoryWindow one = b.opened(b.pd.allocMw(MwType.TYPE_2));
        MemoryWindow other = b.opened(b.pd.allocMw(MwType.TYPE_2));
        MwBind bind = new MwBind().mr(b.mr).addr(b.mr.addr() + 100).length(50).mwAccessFlags(AccessFlags.REMOTE_WRITE);
        builder.start();
        builder.bindMw(1, SIGNALED, one, MemoryWindow.incRkey(one.rkey()), bind);
        bind.addr(b.mr.addr() + 900).length(70);
        builder.bindMw(2, SIGNALED, other, MemoryWindow.incRkey(other.rkey()), bind);
        assertThat(builder.complete()).isZero();
        b.next(1, WcStatus.SUCCESS);
        b.next(2, WcStatus.SUCCESS);
        writes(3, b.mr.addr() + 100, one.rkey(), 0, 50, WcStatus.SUCCESS);
        writes(4, b.mr.addr() + 900, other.rkey(), 60, 70, WcStatus.SUCCESS);
        b.assertPattern(100, 1, 0, 50);
        b.assertPattern(900, 1, 60, 70);

        int old = one.rkey();
        builder.start();
        builder.localInv(5, SIGNALED, old);
        builder.bindMw(6, SIGNALED, one, MemoryWindow.incRkey(old), bind.addr(b.mr.addr() + 2000));
        assertThat(builder.complete()).isZero();
        b.next(5, WcStatus.SUCCESS);
        assertThat(b.next(6, WcStatus.SUCCESS).opcode()).isEqualTo(WcOpcode.BIND_MW);
        writes(7, b.mr.addr() + 2000, one.rkey(), 0, 70, WcStatus.SUCCESS);
        writes(8, b.mr.addr() + 100, old, 0, 50, WcStatus.REM_ACCESS_ERR);
    }

    /** complete() reports the error, and keys keep their values. */
    @Test
    void malformedBatchesAreRefused() {
        startWithKey();
        int before = key.rkey();
        builder.start();
        builder.regMr(1, SIGNALED, next(RIGHTS).key(before ^ 0x100)); // not the key's number
        piece(0, 8);
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        builder.start();
        builder.regMr(2, SIGNALED, next(RIGHTS)); // no pieces
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        builder.start();
        builder.regMr(3, SIGNALED, null);
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        builder.start();
        builder.localInv(4, SIGNALED, before);
        piece(0, 8); // this operation takes none
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        builder.start();
        builder.readWithInv(5, SIGNALED, a.mr.rkey(), a.mr.addr()); // no destination
        assertThat(builder.complete()).isEqualTo(Errno.EINVAL);
        assertThat(builder.posted()).isZero();
        assertThat(key.rkey()).isEqualTo(before);
        assertThat(b.rest(50)).isEmpty();
    }
}
