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
 * The keys by which rails reach memory, as each may be of another device. Memory that a device has another address for
 * is not reached by its rails.
 */
final class RailMemory {
    private final Link link;
    private final RailTable rails;
    private final RailKeys sent = new RailKeys();

    /** Of the message that the peer will tell of next. */
    private final RailKeys told = new RailKeys();

    private long toldOf;

    RailMemory(Link link, RailTable rails) {
        this.link = link;
        this.rails = rails;
    }

    /** Asks for the keys of a window that is known, once. */
    void ask(RemoteWindow window) {
        int version = rails.version();
        if (rails.count() > 0 && window.askRailKeys(version, rails.count())) {
            link.message(ControlKind.ASK_KEYS, window.id(), 0);
        }
    }

    /** Answers the peer: nothing where it may not have the window. */
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

    /** Sends the keys of a long message, which is told of next. Returns whether it could. */
    boolean tell(Transfer message) {
        gather(message.memory);
        long value = sent.value(link.recovery().epoch(), true);
        return link.sender.post(ControlKind.KEYS, message.id(), sent.a(), sent.b(), sent.key(), sent.rights(), value);
    }

    /** Gathers the keys that rails have for some memory. */
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

    /** The device of a rail, or -1 where it is not up. */
    private int device(int rail) {
        Rail it = rails.get(rail);
        return it != null && (it.isUp() || it.state == Rail.State.ANSWERED)
                ? it.lane.load().device()
                : -1;
    }

    /** The peer tells keys. */
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

    /** Gives the keys of a message that the peer has told of, if it has told some. */
    void take(long message, RailKeys to) {
        if (toldOf == message) {
            to.copy(told);
        } else {
            to.clear();
        }
    }
}
