/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AccessFlags;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpState;
import io.verbs4j.ReregFlags;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@code b} maps keys by work requests, and how either side invalidates them. */
@WithOneCopy
class FastRegisterMappingPathsTest extends FastRegisterPaths {
    // ---- mapping

    private void fails(SendWorkRequest wr, int status) {
        int before = key.rkey();
        b.post(wr);
        b.next(wr.wrId(), status);
        b.awaitState(QpState.ERR);
        assertThat(key.rkey()).as("rkey after the failed request").isEqualTo(before);
        reconnect();
    }

    @Test
    void mappedKeyMustBeInvalidatedFirst() {
        startWithKey();
        int number = registered(RIGHTS);
        int shown = MemoryWindow.incRkey(number);
        b.post(register(5, RIGHTS, pieces(b)));
        b.next(5, WcStatus.LOC_QP_OP_ERR);
        assertThat(key.rkey()).isEqualTo(number).isNotEqualTo(shown);
        reconnect();
        works(number);
    }

    @Test
    void invalidPiecesFailRegistration() {
        startWithKey();
        MemoryRegion readable = b.opened(b.pd.regMr(b.buffer, AccessFlags.REMOTE_READ));
        MemoryRegion gone = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
        gone.close();
        ScatterGatherElement good = b.sge(0, 10);
        fails(register(5, RIGHTS, good, b.sge(BYTES - 9, 10)), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, good, element(b.mr.addr(), 10, b.mr.rkey())), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, good, element(b.mr.addr(), 10, 0)), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, good, element(b.mr.addr(), 10, gone.lkey())), WcStatus.LOC_PROT_ERR);
        fails(register(5, RIGHTS, ScatterGatherElement.of(readable, 0, 10)), WcStatus.LOC_PROT_ERR);
        try (ProtectionDomain domain = b.context.allocPd();
                MemoryRegion foreign = domain.regMr(b.buffer, Side.ALL_ACCESS);
                MemoryRegion foreignKey = domain.allocMrKey(new MrKeyInitAttr().maxEntries(1))) {
            fails(register(5, RIGHTS, good, ScatterGatherElement.of(foreign, 0, 10)), WcStatus.LOC_PROT_ERR);
            MemoryRegion own = key;
            key = foreignKey;
            fails(register(5, RIGHTS, good), WcStatus.LOC_QP_OP_ERR);
            key = own;
        }
        b.post(register(6, AccessFlags.REMOTE_READ, ScatterGatherElement.of(readable, 0, 10)));
        b.next(6, WcStatus.SUCCESS);
        MemoryRegion own = key;
        key = b.opened(b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(1)));
        fails(register(5, 0, element(BASE, 10, own.lkey())), WcStatus.LOC_PROT_ERR); // of the key itself
        readableStays(readable, own);
    }

    /** A refused request holds nothing; an accepted one does. */
    private void readableStays(MemoryRegion readable, MemoryRegion own) {
        isBusy(readable);
        b.post(invalidate(7, own.lkey()));
        b.next(7, WcStatus.SUCCESS);
        readable.close();
    }

    private static void isBusy(MemoryRegion region) {
        assertThatThrownBy(region::close)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"taken back", "key", "by the peer"})
    void regionStaysWhileKeyMapsIt(String end) {
        startWithKey();
        MemoryRegion region = b.pd.regMr(b.buffer, Side.ALL_ACCESS);
        b.post(register(5, RIGHTS, ScatterGatherElement.of(region, 0, 10), ScatterGatherElement.of(region, 50, 10)));
        b.next(5, WcStatus.SUCCESS);
        isBusy(region);
        assertThatThrownBy(() -> region.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        int number = key.rkey();
        switch (end) {
            case "key" -> key.close();
            case "by the peer" -> {
                b.recv(8, 1000, 10);
                a.post(Side.wr(WrOpcode.SEND_WITH_INV, 1, a.sge(0, 1)).invalidateRkey(number));
                a.next(1, WcStatus.SUCCESS);
                WorkCompletion wc = b.next(8, WcStatus.SUCCESS);
                assertThat(wc.wcFlags()).isEqualTo(WcFlags.WITH_INV);
                assertThat(wc.invalidatedRkey()).isEqualTo(number);
            }
            default -> {
                b.post(invalidate(6, number));
                b.next(6, WcStatus.SUCCESS);
            }
        }
        region.close();
        isRefused(through(WrOpcode.RDMA_READ, 2, number, 0, 1), WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void keyOutlivesResetOfQueuePair() {
        startWithKey();
        int number = registered(RIGHTS);
        reconnect();
        works(number);
    }

    @Test
    void malformedRegistrationsAreRefused() {
        startWithKey();
        int number = key.rkey();
        ScatterGatherElement[] list = pieces(b);
        isInvalid(register(1, RIGHTS, list).fastRegister(null), Errno.EINVAL, "fastRegister is null");
        SendWorkRequest ofRegion = register(1, RIGHTS, list);
        ofRegion.fastRegister().mr(b.mr).key(b.mr.lkey());
        isInvalid(ofRegion, Errno.EINVAL, "must name a key from allocMrKey");
        SendWorkRequest ofNumber = register(1, RIGHTS, list);
        ofNumber.fastRegister().key(number + 0x100);
        isInvalid(ofNumber, Errno.EINVAL, "lowest 8 bits");
        isInvalid(register(1, RIGHTS), Errno.EINVAL, "numSge is 0");
        isInvalid(register(1, RIGHTS, new ScatterGatherElement[17]), Errno.EINVAL, "is null");
        ScatterGatherElement[] many = new ScatterGatherElement[17];
        Arrays.fill(many, b.sge(0, 1));
        isInvalid(register(1, RIGHTS, many), Errno.EINVAL, "created for 1 to 16");
        isInvalid(register(1, RIGHTS, b.sge(0, 1), b.sge(5, 0)), Errno.EINVAL, "sgList[1] is empty");
        isInvalid(register(1, AccessFlags.REMOTE_WRITE, list), Errno.EINVAL, "without LOCAL_WRITE");
        isInvalid(register(1, RIGHTS | AccessFlags.MW_BIND, list), Errno.EOPNOTSUPP, "MW_BIND");
        isInvalid(register(1, RIGHTS | AccessFlags.FLUSH_PERSISTENT, list), Errno.EOPNOTSUPP, "FLUSH_PERSISTENT");
        assertThat(b.qp.explain(register(1, RIGHTS | AccessFlags.RELAXED_ORDERING, list)))
                .isNull();
        assertThat(key.rkey()).as("rkey after the refused requests").isEqualTo(number);
        MemoryRegion closed = b.pd.allocMrKey(new MrKeyInitAttr().maxEntries(16));
        SendWorkRequest ofClosed = register(1, RIGHTS, list);
        ofClosed.fastRegister().mr(closed).key(closed.rkey());
        closed.close();
        assertThat(b.qp.postSend(ofClosed)).isEqualTo(Errno.EINVAL);
        works(registered(RIGHTS | AccessFlags.RELAXED_ORDERING));
    }

    @Test
    void keysCannotBeBoundOrReregistered() {
        startWithKey();
        MemoryWindow mw = b.opened(b.pd.allocMw(MwType.TYPE_2));
        SendWorkRequest bind = Side.wr(WrOpcode.BIND_MW, 1)
                .mw(mw)
                .mwRkey(mw.rkey())
                .mwBind(new MwBind().mr(key).addr(BASE).length(1).mwAccessFlags(AccessFlags.REMOTE_READ));
        assertThat(b.qp.postSend(bind)).isEqualTo(Errno.EINVAL);
        assertThatThrownBy(() -> key.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, 0))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    /** The key is sent behind the request, on the same queue pair, without a completion in between. */
    @Test
    void keyIsValidFromPost() {
        startWithKey();
        a.recv(9, 500_000, 100);
        int before = key.rkey();
        b.post(register(5, RIGHTS, pieces(b)).sendFlags(0).next(Side.wr(WrOpcode.SEND, 6, b.sge(0, 4))));
        assertThat(key.rkey()).isEqualTo(MemoryWindow.incRkey(before));
        a.next(9, WcStatus.SUCCESS);
        b.next(6, WcStatus.SUCCESS);
        works(key.rkey());
    }

    // ---- invalidation

    @ParameterizedTest
    @ValueSource(strings = {"free", "old", "region"})
    void invalidatingOtherKeysFails(String what) {
        startWithKey();
        int old = registered(RIGHTS);
        b.post(invalidate(5, old));
        b.next(5, WcStatus.SUCCESS);
        int number = old;
        if (what.equals("old")) {
            registered(RIGHTS);
        } else if (what.equals("region")) {
            number = b.mr.lkey();
        }
        b.post(invalidate(6, number));
        b.next(6, WcStatus.LOC_QP_OP_ERR);
        b.awaitState(QpState.ERR);
    }

    @Test
    void onlyQueuePairsOfDomainInvalidateKey() {
        startWithKey();
        int number = registered(RIGHTS);
        Side other = b.opened(new Side(b.context.device(), BYTES)).create();
        Side.connectToItself(other);
        other.post(invalidate(1, number));
        other.next(1, WcStatus.LOC_QP_OP_ERR);
        works(number);
        b.recv(8, 100_000, 10);
        a.post(Side.wr(WrOpcode.SEND_WITH_INV, 1, a.sge(0, 1)).invalidateRkey(number ^ 1));
        a.next(1, WcStatus.SUCCESS);
        b.next(8, WcStatus.REM_INV_REQ_ERR);
    }
}
