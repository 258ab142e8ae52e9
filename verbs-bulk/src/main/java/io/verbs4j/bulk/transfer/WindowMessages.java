/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.Errno;
import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The messages about windows between the two sides of a connection. */
final class WindowMessages {
    private final Link link;

    /** Windows to be removed when no transfer uses them. */
    private final List<RemoteWindow> revoked = new ArrayList<>();

    WindowMessages(Link link) {
        this.link = link;
    }

    /** Answers the peer's question about a window of this side. */
    void tell(long id) {
        LocalWindow window = link.addresses.lookUp(id);
        int device = link.load.device();
        MessageQueue queue = link.addresses.answers();
        if (window == null) {
            queue.add(ControlKind.WINDOW, id, -Errno.ESTALE, 0, 0, 0, null);
            link.activate();
        } else {
            queue.add(
                    ControlKind.WINDOW,
                    id,
                    window.length(),
                    window.address(device),
                    window.rkey(device),
                    window.rights(),
                    null);
        }
    }

    /** Records the peer's answer. */
    void learn(long id, long length, ByteBuffer bytes, int at) {
        RemoteWindow window = link.windows.find(id);
        if (window != null && !window.isKnown()) {
            window.answer(
                    length,
                    bytes.getLong(at + ControlLayout.B),
                    bytes.getInt(at + ControlLayout.KEY),
                    bytes.getInt(at + ControlLayout.RIGHTS));
            link.addresses.answered(window);
            if (length < 0) {
                revoked.add(window); // to be removed: the id may be valid later
            }
        }
    }

    /** Handles the peer's revocation of a window. */
    void revoke(long id) {
        RemoteWindow window = link.windows.find(id);
        if (window == null) {
            link.message(ControlKind.REVOKED, id, 0);
        } else if (!window.isRevoked()) {
            window.revoke();
            revoked.add(window);
            giveWindowsBack();
        }
    }

    /** Removes windows that the peer has revoked, and reports that to the peer, once no transfer uses them. */
    void giveWindowsBack() {
        for (int i = revoked.size() - 1; i >= 0; i--) {
            RemoteWindow window = revoked.get(i);
            if (!window.isUsed()) {
                revoked.remove(i);
                boolean unused = link.windows.remove(window);
                if (window.isRevoked()) {
                    link.message(ControlKind.REVOKED, window.id(), 0);
                }
            }
        }
    }
}
