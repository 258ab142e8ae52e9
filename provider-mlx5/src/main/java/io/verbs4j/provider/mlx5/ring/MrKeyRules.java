/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

import io.verbs4j.AccessFlags;
import io.verbs4j.SendWorkRequest;

/** Explains what is wrong with a registration request that passed the library's checks. */
final class MrKeyRules {
    private MrKeyRules() {}

    /** Returns the explanation, or null if nothing is wrong. */
    static String broken(SendElements ring, MrKeys keys, SendWorkRequest wr) {
        int count = wr.numSge();
        if (!(wr.fastRegister().mr() instanceof MrKeyHandle handle) || !handle.key.isOpenOf(keys)) {
            return "fastRegister must name an open key of this device, from allocMrKey";
        }
        int most = handle.key.maxEntries();
        if (count < 1 || count > most) {
            return "sgList has " + count + " pieces of memory, but the key was made for 1 to " + most
                    + "; ask for more with maxEntries";
        }
        String wrong = piece(keys, wr);
        if (wrong != null) {
            return wrong;
        }
        int places = ring.places(MrKeyElements.blocks(count));
        if (places > ring.maxPost) {
            return "a list of " + count + " pieces takes the room of " + places
                    + " requests, but the queue pair has room for " + ring.maxPost
                    + "; create it with a larger maxSendWr";
        }
        return access(wr.fastRegister().access() & ~AccessFlags.OPTIONAL_RANGE);
    }

    private static String piece(MrKeys keys, SendWorkRequest wr) {
        for (int i = 0; i < wr.numSge(); i++) {
            if (wr.sgList()[i].length() <= 0) {
                return "sgList[" + i + "] has no bytes; leave it out";
            }
            if (keys.find(wr.sgList()[i].lkey()) != null) {
                return "sgList[" + i
                        + "] has the key of a fast register; use the key of the region that contains the memory";
            }
        }
        return null;
    }

    private static String access(int asked) {
        if ((asked & MrKeyElements.WRITES) != 0 && (asked & AccessFlags.LOCAL_WRITE) == 0) {
            return "access " + AccessFlags.toString(asked) + " allows remote writes without LOCAL_WRITE";
        }
        int wrong = asked & ~MrKeyElements.RIGHTS;
        return wrong == 0
                ? null
                : "access has " + AccessFlags.toString(wrong)
                        + ", which the device does not grant to fast registers; it grants "
                        + AccessFlags.toString(MrKeyElements.RIGHTS);
    }
}
