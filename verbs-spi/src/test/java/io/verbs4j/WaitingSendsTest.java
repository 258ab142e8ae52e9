/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sends that wait for room. */
class WaitingSendsTest {
    /** A queue pair with room for a given number of requests, which rejects ids below 0. */
    private static final class Qp extends QueuePair {
        final List<String> posted = new ArrayList<>();
        int room;

        Qp(int room) {
            super(BuilderFakes.PD, new QpInitAttr().qpType(QpType.RC), 7);
            this.room = room;
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            if (wr.wrId() < 0) {
                return Errno.EINVAL;
            }
            if (room == 0) {
                return Errno.ENOMEM;
            }
            room--;
            posted.add(wr.wrId() + "@" + (wr.numSge() == 0 ? 0 : wr.sgList()[0].addr()));
            return 0;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return Errno.EINVAL;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return Errno.EINVAL;
        }
    }

    private final Qp qp = new Qp(2);
    private final WaitingSends sends = new WaitingSends(qp, 2);
    private final ScatterGatherElement element = new ScatterGatherElement();
    private final SendWorkRequest request = new SendWorkRequest().sgList(element);

    /** Posts with the same objects each time. */
    private int post(long id) {
        element.addr(100 + id);
        return sends.post(request.wrId(id));
    }

    @Test
    void requestsWaitInOrderUpToMaximum() {
        for (int i = 1; i <= 4; i++) {
            assertThat(post(i)).isZero();
        }
        assertThat(sends.waiting()).isEqualTo(2);
        assertThat(post(5)).isEqualTo(Errno.EAGAIN);
        assertThat(qp.posted).containsExactly("1@101", "2@102");
        assertThat(sends.advance()).as("without room").isZero();
        qp.room = 1;
        assertThat(sends.advance()).isZero();
        assertThat(post(6)).isZero(); // behind the one that waits
        qp.room = 9;
        assertThat(post(7)).isEqualTo(Errno.EAGAIN);
        assertThat(sends.advance()).isZero();
        assertThat(post(8)).isZero();
        assertThat(qp.posted).containsExactly("1@101", "2@102", "3@103", "4@104", "6@106", "8@108");
        assertThat(sends.waiting()).isZero();
    }

    @Test
    void failedRequestIsReportedAndOthersContinue() {
        assertThat(post(-1)).as("with room").isEqualTo(Errno.EINVAL);
        qp.room = 0;
        assertThat(post(1)).isZero();
        assertThat(sends.post(request.wrId(-5))).isZero();
        qp.room = 9;
        assertThat(sends.advance()).isEqualTo(Errno.EINVAL);
        assertThat(sends.refusedWrId()).isEqualTo(-5);
        assertThat(sends.waiting()).isZero();
        assertThat(post(2)).isZero();
        assertThat(qp.posted).containsExactly("1@101", "2@102");
    }

    @Test
    void wrongArgumentsFail() {
        assertThat(sends.post(null)).isEqualTo(Errno.EINVAL);
        assertThat(sends.post(new SendWorkRequest().next(request))).isEqualTo(Errno.EINVAL);
        qp.room = 0;
        assertThat(sends.post(new SendWorkRequest().sgList(new ScatterGatherElement[] {null}, 1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(post(1)).isZero();
        assertThat(sends.clear()).isEqualTo(1);
        assertThat(sends.waiting()).isZero();
        assertThatThrownBy(() -> new WaitingSends(qp, 0)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> new WaitingSends(null, 1)).isInstanceOf(VerbsException.class);
    }

    /** A field that is added to requests must be copied, too. */
    @Test
    void copyHasEveryField() throws ReflectiveOperationException {
        SendWorkRequest full = new SendWorkRequest();
        for (Field field : SendWorkRequest.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            field.setAccessible(true);
            if (field.getType() == int.class) {
                field.setInt(full, 1);
            } else if (field.getType() == long.class) {
                field.setLong(full, 1);
            } else if (field.getType() == boolean.class) {
                field.setBoolean(full, true);
            }
        }
        full.sgList(new ScatterGatherElement().addr(1).length(2).lkey(3));
        full.ah(BuilderFakes.AH).mw(BuilderFakes.MW).mwBind(new MwBind()).fastRegister(new FastRegister());
        full.waitCq(BuilderFakes.CQ).enableQp(qp);
        full.tsoHeader(new ScatterGatherElement().addr(4).length(5).lkey(6));
        SendWorkRequest copy = new SendWorkRequest().copy(full);
        for (Field field : SendWorkRequest.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                    && !List.of("sgList", "next", "tsoHeader").contains(field.getName())) {
                field.setAccessible(true);
                assertThat(field.get(copy))
                        .as(field.getName())
                        .isEqualTo(field.get(full))
                        .isNotNull();
            }
        }
        assertThat(copy.sgList()[0]).isNotSameAs(full.sgList()[0]);
        assertThat(copy.sgList()[0].length()).isEqualTo(2);
        assertThat(copy.sgList()[0].lkey()).isEqualTo(3);
        assertThat(copy.tsoHeader()).isNotSameAs(full.tsoHeader());
        assertThat(copy.tsoHeader().addr()).isEqualTo(4);
        assertThat(copy.tsoHeader().length()).isEqualTo(5);
        assertThat(copy.tsoHeader().lkey()).isEqualTo(6);
    }
}
