/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.bulk.control.RailKeys;

/** A peer's window, as far as this side knows it. */
public final class RemoteWindow extends IdTable.Entry {
    /** Right to write. */
    public static final int WRITE = 1;

    /** Right to read. */
    public static final int READ = 2;

    private boolean known;
    private int error;
    private long length;
    private long address;
    private int key;
    private int rights;
    private int users;
    private boolean revoked;
    private int learned;
    private boolean again;

    /** Keys of the window for rails, as far as they are known. */
    private final RailKeys railKeys = new RailKeys();

    private int askedVersion = -1;
    private int askedRails;

    /** Creates a window of which only the identifier is known. */
    public RemoteWindow(long id) {
        super(id);
    }

    /** Sets the peer's answer. */
    public void answer(long answeredLength, long answeredAddress, int answeredKey, int answeredRights) {
        known = true;
        if (answeredLength < 0) {
            error = (int) -answeredLength;
        }
        length = answeredLength;
        address = answeredAddress;
        key = answeredKey;
        rights = answeredRights;
    }

    /** Drops the answer after the peer has moved to another device. Returns whether to ask again. */
    public boolean forget() {
        boolean ask = known && error == 0;
        known &= !ask;
        again |= ask;
        return ask;
    }

    /** Whether the peer has answered. */
    public boolean isKnown() {
        return known;
    }

    /**
     * Records when the peer described the window.
     *
     * @param value value of {@link #learned()} from now on
     * @return whether this answers a question after {@link #forget}
     */
    public boolean learned(int value) {
        boolean was = again;
        learned = value;
        again = false;
        return was;
    }

    /** The number of the peer's device moves before it described the window. */
    public int learned() {
        return learned;
    }

    /** The errno if the window does not exist, or 0. */
    public int error() {
        return error;
    }

    public long address() {
        return address;
    }

    public int key() {
        return key;
    }

    /** Keys of the window for rails. */
    public RailKeys railKeys() {
        return railKeys;
    }

    /** Whether to ask for the keys of this number of rails of a version; true only once. */
    public boolean askRailKeys(int version, int rails) {
        boolean asked = askedVersion == version && askedRails == rails;
        askedVersion = version;
        askedRails = rails;
        return !asked;
    }

    public boolean allows(int right) {
        return (rights & right) != 0;
    }

    public boolean contains(long offset, long count) {
        return offset >= 0 && count >= 0 && offset <= length - count;
    }

    public void use() {
        users++;
    }

    public void unuse() {
        users--;
    }

    public boolean isUsed() {
        return users > 0;
    }

    /** Marks that the peer revokes the window. */
    public void revoke() {
        revoked = true;
    }

    public boolean isRevoked() {
        return revoked;
    }
}
