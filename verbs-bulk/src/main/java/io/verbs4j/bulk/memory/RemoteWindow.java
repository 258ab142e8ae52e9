/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.memory;

import io.verbs4j.bulk.control.RailKeys;

/** What is known of a window of a peer's. */
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

    /** Keys by which rails reach it, as far as they are known. */
    private final RailKeys railKeys = new RailKeys();

    private int askedVersion = -1;
    private int askedRails;

    /** A window of which only the identifier is known. */
    public RemoteWindow(long id) {
        super(id);
    }

    /** The peer has answered. */
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

    /** The peer has it at another device: what was known counts no more. Returns whether to ask again. */
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
     * The peer has told of the window.
     *
     * @param value what {@link #learned()} returns from now on
     * @return whether it was asked after {@link #forget}
     */
    public boolean learned(int value) {
        boolean was = again;
        learned = value;
        again = false;
        return was;
    }

    /** How often the peer had gone by another device when it told of the window. */
    public int learned() {
        return learned;
    }

    /** Why there is no such window, an errno, or 0. */
    public int error() {
        return error;
    }

    public long address() {
        return address;
    }

    public int key() {
        return key;
    }

    /** Keys by which rails reach it. */
    public RailKeys railKeys() {
        return railKeys;
    }

    /** Whether to ask for the keys of so many rails of a version: once. */
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

    /** The peer wants it back. */
    public void revoke() {
        revoked = true;
    }

    public boolean isRevoked() {
        return revoked;
    }
}
