/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * An entry of a port's GID table: the result of {@link Context#queryGidEx(int, int)} and
 * {@link Context#queryGidTable()}.
 *
 * <p>Since level 3. Source: {@code struct ibv_gid_entry}, {@code ibv_query_gid_ex(3)}. Not thread-safe.
 */
public final class GidEntry extends OutputAttr {
    /** Index of {@link #gid()}. */
    public static final int GID = 0;

    /** Index of {@link #gidIndex()}. */
    public static final int GID_INDEX = 1;

    /** Index of {@link #portNum()}. */
    public static final int PORT_NUM = 2;

    /** Index of {@link #gidType()}. */
    public static final int GID_TYPE = 3;

    /** Index of {@link #ndevIfindex()}. */
    public static final int NDEV_IFINDEX = 4;

    /** Word of an element of a table: the GID's subnet prefix. */
    public static final int SUBNET_PREFIX_WORD = 0;

    /** Word of an element of a table: the GID's interface id. */
    public static final int INTERFACE_ID_WORD = 1;

    /** Word of an element of a table: the index. */
    public static final int GID_INDEX_WORD = 2;

    /** Word of an element of a table: the port. */
    public static final int PORT_NUM_WORD = 3;

    /** Word of an element of a table: the type, a {@link GidType} value. */
    public static final int GID_TYPE_WORD = 4;

    /** Word of an element of a table: the network interface. */
    public static final int NDEV_IFINDEX_WORD = 5;

    /** Number of words of an element that this header knows. */
    public static final int WORDS = NDEV_IFINDEX_WORD + 1;

    /** The type of each field, by its index. */
    private static final Class<?>[] TYPES = {
        Gid.class, // GID
        Integer.class, // GID_INDEX
        Integer.class, // PORT_NUM
        Integer.class, // GID_TYPE
        Integer.class, // NDEV_IFINDEX
    };

    /** Creates an instance with no field filled. */
    public GidEntry() {
        super(TYPES);
    }

    /** {@return the GID; {@link Gid#ZERO} if it was not filled} */
    public Gid gid() {
        return (Gid) field(GID, Gid.ZERO);
    }

    /** {@return the index in the port's table, from 0} */
    public int gidIndex() {
        return (Integer) field(GID_INDEX, 0);
    }

    /** {@return the port number, from 1} */
    public int portNum() {
        return (Integer) field(PORT_NUM, 0);
    }

    /** {@return the type, a {@link GidType} value; {@link #has(int)} says whether it is known} */
    public int gidType() {
        return (Integer) field(GID_TYPE, 0);
    }

    /** {@return the index of the GID's network interface; 0 if there is none, or it is not known} */
    public int ndevIfindex() {
        return (Integer) field(NDEV_IFINDEX, 0);
    }

    /** Creates an entry from an element of a table. */
    static GidEntry of(AttrArray table, int element) {
        GidEntry entry = new GidEntry();
        entry.offer(GID, Gid.of(table.get(element, SUBNET_PREFIX_WORD), table.get(element, INTERFACE_ID_WORD)));
        entry.offer(GID_INDEX, (int) table.get(element, GID_INDEX_WORD));
        entry.offer(PORT_NUM, (int) table.get(element, PORT_NUM_WORD));
        entry.offer(GID_TYPE, (int) table.get(element, GID_TYPE_WORD));
        entry.offer(NDEV_IFINDEX, (int) table.get(element, NDEV_IFINDEX_WORD));
        return entry;
    }

    @Override
    public String toString() {
        String type = has(GID_TYPE) ? GidType.toString(gidType()) : "?";
        return "port " + portNum() + ", index " + gidIndex() + ": " + gid() + ", " + type;
    }
}
