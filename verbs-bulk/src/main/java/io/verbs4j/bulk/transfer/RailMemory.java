/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.transfer;

import io.verbs4j.bulk.control.ControlKind;
import io.verbs4j.bulk.control.ControlLayout;
import io.verbs4j.bulk.control.RailKeys;
import io.verbs4j.bulk.memory.DeviceMemory;
import io.verbs4j.bulk.memory.LocalWindow;
import io.verbs4j.bulk.memory.RemoteWindow;
import java.nio.ByteBuffer;

/**
 * The rails' keys of memory, as each rail may be on another device. Rails of a device that has another address for some
 * memory do not access that memory.
 */
final class RailMemory {
    private final Link link;
    private final RailTable rails;
    private final RailKeys sent = new RailKeys();

    /** Keys of the message that the peer will announce next. */
    private final RailKeys told = new RailKeys();

    private long toldOf;

    RailMemory(Link link, RailTable rails) {
        this.link = link;
        this.rails = rails;
    }

    /** Asks for the keys of a known window, once. */
    void ask(RemoteWindow window) {
        int version = rails.version();
        if (rails.count() > 0 && window.askRailKeys(version, rails.count())) {
            link.message(ControlKind.ASK_KEYS, window.id(), 0);
        }
    }

    /** Answers the peer, unless it may not have the window. */
    void answer(long id) {
        LocalWindow window = link.transfers.windows.lookUp(id, link.id());
        if (window == null) {
            return;
        }
        gather(window);
        long value = sent.value(link.recovery().epoch(), false);
        link.messages.add(ControlKind.KEYS, id, sent.a(), sent.b(), sent.key(), sent.rights(), value, null);
        link.activate();
    }

    /** Sends the keys of a long message, which is announced next. Returns whether they were posted. */
    boolean tell(Transfer message) {
        gather(message.memory);
        long value = sent.value(link.recovery().epoch(), true);
        return link.sender.post(ControlKind.KEYS, message.id(), sent.a(), sent.b(), sent.key(), sent.rights(), value);
    }

    /** Gathers the rails' keys of some memory. */
    private void gather(DeviceMemory memory) {
        sent.clear();
        long address = memory.address(link.load.device());
        for (int i = 1; i < rails.size(); i++) {
            int device = device(i);
            if (device >= 0 && memory.address(device) == address) {
                sent.set(i, memory.rkey(device));
            }
        }
    }

    /** Returns the device of a rail, or -1 if the rail is not up. */
    private int device(int rail) {
        Rail it = rails.get(rail);
        return it != null && (it.isUp() || it.state == Rail.State.ANSWERED)
                ? it.lane.load().device()
                : -1;
    }

    /** Records keys that the peer has sent. */
    void learn(long id, ByteBuffer bytes, int at) {
        long value = bytes.getLong(at + ControlLayout.VALUE);
        if (!RailKeys.isOfEpoch(value, link.recovery().epoch())) {
            return;
        }
        if (RailKeys.isOfMessage(value)) {
            told.read(bytes, at, rails.version());
            toldOf = id;
            return;
        }
        RemoteWindow window = link.windows.find(id);
        if (window != null) {
            window.railKeys().read(bytes, at, rails.version());
        }
    }

    /** Copies the keys of an announced message, if the peer has sent any. */
    void take(long message, RailKeys to) {
        if (toldOf == message) {
            to.copy(told);
        } else {
            to.clear();
        }
    }
}
