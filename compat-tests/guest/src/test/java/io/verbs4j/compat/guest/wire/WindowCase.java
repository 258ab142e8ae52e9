/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.MwType;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.util.List;

/**
 * A memory window of type 2: the responder binds it and sends its key, the requester writes through it, and the key is
 * invalidated, by the requester's last message or by the responder after that message. Then the key must grant no
 * access.
 *
 * <p>The requester tests this after the responder has seen all its completions and said so on the side channel: a
 * refused request ends the connection, and with it whatever the kernel has not completed yet, even if the answer has
 * arrived.
 */
final class WindowCase extends Case {
    private static final int AT = End.HALF + 4096;
    private static final int KEY_AT = 2 * End.HALF - 64;
    private final boolean byMessage;

    /** The responder's window; it stays allocated until its key has been refused. */
    private MemoryWindow window;

    private WindowCase(int size, boolean byMessage) {
        super(byMessage ? WrOpcode.SEND_WITH_INV : WrOpcode.LOCAL_INV, size, Form.WHOLE);
        this.byMessage = byMessage;
    }

    /** {@return all cases: one packet and several; the failing request is the last on its connection} */
    static List<Case> all() {
        return List.of(
                new WindowCase(100, true),
                new WindowCase(100, false),
                new WindowCase(5000, true),
                new WindowCase(40_000, false),
                new WindowCase(1, true));
    }

    @Override
    String name() {
        return "window of " + size + " taken back by " + WrOpcode.toString(opcode);
    }

    private boolean isLast() {
        return size == 1;
    }

    @Override
    void prepare(End end, boolean requests) {
        end.blank(AT, size);
        end.receive(7, end.list(requests ? KEY_AT : End.HALF + 1000, 8, false));
    }

    @Override
    void request(End end) {
        end.next(WcStatus.SUCCESS);
        int key = end.memory.getInt(KEY_AT);
        end.post(end.to(AT, end.request(WrOpcode.RDMA_WRITE, 5, end.list(size, size, false)))
                .rkey(key));
        end.next(WcStatus.SUCCESS);
        SendWorkRequest last = end.request(byMessage ? opcode : WrOpcode.SEND, 6, end.list(0, 8, false));
        end.post(last.invalidateRkey(key));
        end.next(WcStatus.SUCCESS);
    }

    @Override
    void afterwards(End end) {
        if (isLast()) {
            end.post(end.to(AT, end.request(WrOpcode.RDMA_WRITE, 8, end.list(size, size, false)))
                    .rkey(end.memory.getInt(KEY_AT)));
            end.next(WcStatus.REM_ACCESS_ERR);
        }
    }

    @Override
    void respond(End end) {
        window = end.pd.allocMw(MwType.TYPE_2);
        int key = MemoryWindow.incRkey(window.rkey());
        MwBind bind =
                new MwBind().mr(end.mr).addr(end.mr.addr() + AT).length(size).mwAccessFlags(AccessFlags.REMOTE_WRITE);
        end.memory.putInt(KEY_AT, key);
        SendWorkRequest tells = end.request(WrOpcode.SEND, 2, end.list(KEY_AT, 8, false));
        end.post(end.request(WrOpcode.BIND_MW, 1)
                .mw(window)
                .mwRkey(key)
                .mwBind(bind)
                .next(tells)); // the bind completes before the message is sent
        end.next(WcStatus.SUCCESS);
        WorkCompletion sent = end.next(WcStatus.SUCCESS);
        WorkCompletion wc = sent.wrId() == 7 ? sent : end.next(WcStatus.SUCCESS);
        if (sent == wc) {
            end.next(WcStatus.SUCCESS);
        }
        boolean told = (wc.wcFlags() & WcFlags.WITH_INV) != 0;
        if (told != byMessage || told && wc.invalidatedRkey() != key || (wc.wcFlags() & WcFlags.IP_CSUM_OK) != 0) {
            throw new IllegalStateException("flags " + wc.wcFlags() + ", key " + wc.invalidatedRkey() + " of " + key);
        }
        if (!byMessage) {
            end.post(end.request(WrOpcode.LOCAL_INV, 3).invalidateRkey(key));
            end.next(WcStatus.SUCCESS);
        }
    }

    @Override
    void verify(End end) {
        end.holds(AT, size, End.pattern(REQUESTER), size);
        window.close();
    }
}
