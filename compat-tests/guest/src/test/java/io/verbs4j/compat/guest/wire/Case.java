/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.QpType;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.concurrent.locks.LockSupport;

/** One request of one end to the other. Both ends run the same cases, step by step. */
class Case {
    static final int REQUESTER = 1;
    static final int RESPONDER = 2;

    /** How the data is passed. */
    enum Form {
        WHOLE(0),
        PIECES(1),
        INLINE(2);

        /** The offset of its addresses. */
        final int shift;

        Form(int shift) {
            this.shift = shift;
        }
    }

    /** The bytes of both ends, known to each. */
    private static final byte[][] PATTERNS = {null, End.pattern(REQUESTER), End.pattern(RESPONDER)};

    final int opcode;
    final int size;
    final Form form;

    Case(int opcode, int size, Form form) {
        this.opcode = opcode;
        this.size = size;
        this.form = form;
    }

    String name() {
        return WrOpcode.toString(opcode) + " " + size + (form == Form.WHOLE ? "" : " " + form);
    }

    // Odd addresses, different for each case.

    private int from() {
        return size * 7 % 1021 * 1021 + form.shift * 3 + 1;
    }

    private int target() {
        return End.HALF + 4096 + size % 61 + form.shift;
    }

    private boolean takesReceive() {
        return opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Whether an empty SEND follows to show that an unacknowledged WRITE has arrived. */
    private boolean isFollowed(End end) {
        return end.qp.qpType() == QpType.UC && opcode == WrOpcode.RDMA_WRITE;
    }

    private boolean writes() {
        return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    private boolean immediate() {
        return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    private int immData() {
        return 0xcafe0000 + size;
    }

    private static int header(End end) {
        return end.connected() ? 0 : End.GRH;
    }

    // ---- steps

    /** On both ends: prepares memory and the receive. */
    void prepare(End end, boolean requests) {
        end.blank(target(), size + End.GRH);
        if (!requests && (takesReceive() || isFollowed(end))) {
            receive(end);
        }
    }

    final void receive(End end) {
        if (writes()) {
            end.receive(7);
        } else {
            end.receive(7, end.list(target(), size + header(end), form == Form.PIECES));
        }
    }

    /** On the requester: posts the request. */
    void request(End end) {
        boolean reads = opcode == WrOpcode.RDMA_READ;
        SendWorkRequest wr = end.request(opcode, 5, end.list(reads ? target() : from(), size, form == Form.PIECES))
                .immData(immData());
        if (form == Form.INLINE) {
            wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        }
        end.post(end.connected() ? end.to(reads ? from() : target(), wr) : wr);
        end.next(WcStatus.SUCCESS);
        if (isFollowed(end)) {
            end.post(end.request(WrOpcode.SEND, 6));
            end.next(WcStatus.SUCCESS);
        }
        if (reads) {
            end.holds(target(), size, PATTERNS[RESPONDER], from());
        }
    }

    /** On the responder, in the meantime: waits for the request. */
    void respond(End end) {
        if (isFollowed(end)) {
            end.next(WcStatus.SUCCESS);
        }
        if (!takesReceive()) {
            return;
        }
        WorkCompletion wc = end.next(WcStatus.SUCCESS);
        boolean told = (wc.wcFlags() & WcFlags.WITH_IMM) != 0;
        if (wc.byteLen() != size + header(end) || told != immediate() || told && wc.immData() != immData()) {
            throw new IllegalStateException(
                    "byteLen " + wc.byteLen() + ", immediate data " + told + " " + wc.immData());
        }
    }

    /** On the requester, once the responder has seen everything that it waits for. */
    void afterwards(End end) {
        // most cases leave nothing
    }

    /** On the responder, at the end: verifies the data. */
    void verify(End end) {
        if (opcode == WrOpcode.RDMA_READ) {
            return;
        }
        if (!end.connected()) {
            end.blankHeader(target()); // added by the network
        }
        end.holds(target() + header(end), size, PATTERNS[REQUESTER], from());
    }

    // ---- special cases

    /** {@return a send to a receiver that is not ready yet} */
    static Case late(int size) {
        return new Case(WrOpcode.SEND, size, Form.WHOLE) {
            @Override
            String name() {
                return super.name() + " to a receiver that is not ready";
            }

            @Override
            void prepare(End end, boolean requests) {
                super.prepare(end, true);
            }

            @Override
            void respond(End end) {
                LockSupport.parkNanos(50_000_000);
                receive(end);
                super.respond(end);
            }
        };
    }

    /** {@return an atomic operation, which changes the value or leaves it} */
    static Case atomic(int opcode, long before, long compareAdd, long swap, long after) {
        return new Case(opcode, Long.BYTES, Form.WHOLE) {
            private static final int AT = End.HALF + 4096;

            @Override
            String name() {
                return WrOpcode.toString(opcode) + " of " + before + " to " + after;
            }

            @Override
            void prepare(End end, boolean requests) {
                end.blank(AT, Long.BYTES);
                end.memory.putLong(AT, requests ? 0 : before);
            }

            @Override
            void request(End end) {
                end.post(end.to(AT, end.request(opcode, 5, end.list(AT, Long.BYTES, false)))
                        .compareAdd(compareAdd)
                        .swap(swap));
                end.next(WcStatus.SUCCESS);
                is(end, before);
            }

            @Override
            void verify(End end) {
                is(end, after);
            }

            private void is(End end, long value) {
                if (end.memory.getLong(AT) != value) {
                    throw new IllegalStateException("the number is " + end.memory.getLong(AT) + ", not " + value);
                }
                end.isBlank(AT - 64, 64);
                end.isBlank(AT + Long.BYTES, 64);
            }
        };
    }

    /** {@return a request that must be refused: with an invalid key, or beyond the memory} */
    static Case refused(int opcode, boolean wrongKey) {
        return new Case(opcode, Long.BYTES, Form.WHOLE) {
            private static final int AT = End.HALF + 4096;

            @Override
            String name() {
                return WrOpcode.toString(opcode) + (wrongKey ? " with a wrong key" : " beyond the memory");
            }

            @Override
            void prepare(End end, boolean requests) {
                end.blank(AT, Long.BYTES);
            }

            @Override
            void request(End end) {
                int offset = wrongKey ? AT : 2 * End.HALF;
                SendWorkRequest wr = end.to(offset, end.request(opcode, 5, end.list(AT, Long.BYTES, false)));
                end.post(wrongKey ? wr.rkey(end.remoteKey ^ 0x00a5a500) : wr);
                end.next(WcStatus.REM_ACCESS_ERR);
                end.isBlank(AT, opcode >= WrOpcode.RDMA_READ ? Long.BYTES : 0);
            }

            @Override
            void verify(End end) {
                end.isBlank(AT, Long.BYTES);
            }
        };
    }
}
