/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Posts that throw when they fail. */
class ThrowingPostTest {
    private static final String RULE = "breaks a rule";

    /** A context whose library explains one request, by its id, and only if it stands alone. */
    private static final class Explaining extends Context {
        private final ContextOps ops = new ContextOps() {
            @Override
            public String explainSend(QueuePair qp, SendWorkRequest wr) {
                return wr != null && wr.wrId() == 3 && wr.next() == null ? RULE : null;
            }

            @Override
            public String explainRecv(QueuePair qp, RecvWorkRequest wr) {
                return wr != null && wr.wrId() == 3 && wr.next() == null ? RULE : null;
            }

            @Override
            public String explainSrqRecv(SharedReceiveQueue srq, RecvWorkRequest wr) {
                throw new VerbsException(Errno.EIO, "explain", "the device is gone");
            }
        };

        Explaining() {
            super(new Device("dev0", 1, NodeType.CA, TransportType.IB) {}, new OpenAttr());
        }

        @Override
        protected ContextOps libraryOps() {
            return ops;
        }
    }

    private static final ProtectionDomain PD = new ProtectionDomain(new Explaining()) {};

    /** A queue pair that rejects the request with id 3. */
    private static final class Qp extends QueuePair {
        int posted;
        int errno = Errno.EINVAL;

        Qp() {
            super(PD, new QpInitAttr().qpType(QpType.RC), 7);
        }

        @Override
        public int postSend(SendWorkRequest first, SendWorkRequest[] badWr) {
            for (SendWorkRequest wr = first; wr != null; wr = wr.next()) {
                if (wr.wrId() == 3) {
                    if (badWr != null) {
                        badWr[0] = wr;
                    }
                    return errno;
                }
                posted++;
            }
            return first == null ? errno : 0;
        }

        @Override
        public int postRecv(RecvWorkRequest first, RecvWorkRequest[] badWr) {
            for (RecvWorkRequest wr = first; wr != null; wr = wr.next()) {
                if (wr.wrId() == 3) {
                    if (badWr != null) {
                        badWr[0] = wr;
                    }
                    return errno;
                }
                posted++;
            }
            return first == null ? errno : 0;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return 0;
        }
    }

    private static final class Srq extends SharedReceiveQueue {
        Srq() {
            super(PD, new SrqInitAttr());
        }

        @Override
        public int postRecv(RecvWorkRequest first, RecvWorkRequest[] badWr) {
            return first.wrId() == 3 ? Errno.EINVAL : 0;
        }
    }

    private final Qp qp = new Qp();

    private static SendWorkRequest send(long wrId, SendWorkRequest next) {
        return new SendWorkRequest().opcode(WrOpcode.SEND).wrId(wrId).next(next);
    }

    private static RecvWorkRequest recv(long wrId, RecvWorkRequest next) {
        return new RecvWorkRequest().wrId(wrId).next(next);
    }

    @Test
    void successfulPostDoesNotThrow() {
        qp.postSendOrThrow(send(1, null));
        qp.postSendOrThrow(send(1, send(2, null)));
        qp.postRecvOrThrow(recv(1, null));
        qp.postRecvOrThrow(recv(1, recv(2, null)));
        assertThat(qp.posted).isEqualTo(6);
        new Srq().postRecvOrThrow(recv(1, null));
    }

    @Test
    void exceptionNamesAndExplainsFailedRequest() {
        SendWorkRequest rest = send(4, null);
        SendWorkRequest bad = send(3, rest);
        assertThatThrownBy(() -> qp.postSendOrThrow(send(1, send(2, bad))))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessage("post_send: EINVAL: request 2 of the list (wrId 3): breaks a rule;"
                        + " the 2 before it were posted");
        assertThat(bad.next()).as("the program's list").isSameAs(rest);
        assertThatThrownBy(() -> qp.postSendOrThrow(send(3, null)))
                .hasMessage("post_send: EINVAL: request 0 of the list (wrId 3): breaks a rule");
        assertThatThrownBy(() -> qp.postRecvOrThrow(recv(1, recv(3, recv(4, null)))))
                .hasMessage("post_recv: EINVAL: request 1 of the list (wrId 3): breaks a rule;"
                        + " the 1 before it were posted");
        assertThatThrownBy(() -> new Srq().postRecvOrThrow(recv(3, null)))
                .hasMessage("post_srq_recv: EINVAL: request 0 of the list (wrId 3):"
                        + " neither the library nor the provider knows a rule that it breaks");
    }

    @Test
    void exceptionExplainsNullAndFullQueue() {
        assertThatThrownBy(() -> qp.postSendOrThrow(null)).hasMessageStartingWith("post_send: EINVAL: neither");
        assertThatThrownBy(() -> qp.postRecvOrThrow(null)).hasMessageStartingWith("post_recv: EINVAL: neither");
        qp.errno = Errno.ENOMEM;
        assertThatThrownBy(() -> qp.postRecvOrThrow(recv(3, null))).hasMessageContaining(RULE);
        assertThatThrownBy(() -> qp.postSendOrThrow(null)).hasMessageContaining("the queue is full");
    }

    /** Programs of level 1 may mean a WRITE by it, so postSend accepts it. */
    @Test
    void unsetOpcodeFails() {
        SendWorkRequest unset = new SendWorkRequest().wrId(9);
        assertThat(qp.postSend(unset)).isZero();
        assertThat(qp.posted).isOne();
        assertThatThrownBy(() -> qp.postSendOrThrow(send(1, unset)))
                .hasMessage("post_send: EINVAL: request 1 of the list (wrId 9): its opcode was never set;"
                        + " nothing was posted");
        assertThat(qp.posted).isOne();
        qp.postSendOrThrow(unset.opcode(WrOpcode.RDMA_WRITE));
        assertThat(qp.posted).isEqualTo(2);
    }
}
