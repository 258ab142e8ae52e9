/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * The requests that a {@link SendBuilder} has collected, for the provider to read in
 * {@link QueuePair#postBuilt(SendBuilder)}. Since level 3.
 *
 * <p>A request is a row of 8 words, so a request with one element can be read from its row alone. What only few
 * requests have is stored beside the rows:
 *
 * <pre>
 * word 0  id
 *      1  flags(32)  no elements(1) number of an SRQ(1) address(1) inline(1) vendor's address(1)
 *         number of elements(11)  operation(16)
 *      2  remote address
 *      3  remote key(32)  immediate data, or key to invalidate(32)
 *      4  length(32)      local key(32)       of the first element
 *      5  address                             of the first element
 *      6  where its operands are(32)          where its other elements are(32)
 *      7  where its objects are(32)           where its address is, or number of an SRQ(32)
 * more     operands: of an atomic 5, of a flush 2, of an atomic write 1; other elements: 2 each, as words 4 and 5
 * objects  address handle, window, region, completion queue, queue pair
 * numbers  2 for each object: what belongs to it
 * </pre>
 *
 * <p>Words that an operation does not use keep their old values. {@code i} counts requests from 0; a method that does
 * not apply to the operation returns an arbitrary value. The methods neither throw nor allocate while {@code i} is less
 * than {@link #count()}.
 */
public abstract sealed class BuiltRequests permits SendBuilder {
    /**
     * The bits 16 to 31 of {@link #flagsAndOpcode(int)} for a request with one element in memory and nothing beside its
     * row.
     */
    public static final long SIMPLE = 0x1_0000;

    static final int ROW = 3; // shift
    static final int WORDS = 1 << ROW;
    private static final int OPERATION = 0xffff;
    private static final int ELEMENTS = 16; // shift
    static final long ONE_ELEMENT = SIMPLE;
    static final long MOST_ELEMENTS = 0x7ffL << ELEMENTS;
    static final long VENDOR_ADDRESS = 1L << 27;
    static final long INLINE = 1L << 28;
    static final long ADDRESS = 1L << 29;
    static final long SRQ_NUMBER = 1L << 30;
    static final long BARE = 1L << 31;

    /** The bits that are neither operation nor flags. */
    static final long SHAPE = 0xffff_0000L;

    /**
     * Position of the next row while there is no batch. It is beyond any row, so one comparison checks for a batch and
     * for room.
     */
    static final int OUT = 1 << 30;

    /**
     * As {@link #OUT}, after an error: with one comparison {@code start} sees that there is neither a batch nor an
     * error.
     */
    static final int FAILED = OUT + WORDS;

    private static final int FEW = 16;
    private static final int MOST = 1 << 24;

    long[] rows = new long[FEW * WORDS];

    /**
     * Position of the next row; {@link #OUT} before {@code start}, {@link #FAILED} after an error. Every field that is
     * written costs time in each batch, so there are few of them.
     */
    int next = OUT;

    /** The first error of a batch; otherwise 0. */
    int error;

    private long[] more = new long[FEW];
    private int nextMore;
    private Object[] objects = new Object[FEW];
    private long[] numbers = new long[2 * FEW];
    private int nextObject;

    /** Whether there are references beside the rows, and perhaps in a list created from them, that must be dropped. */
    private boolean littered;

    BuiltRequests() {}

    // ---- read by providers

    /** {@return the number of requests} */
    public final int count() {
        int end = next;
        return end >= OUT ? 0 : end >>> ROW;
    }

    /**
     * Returns whether a request has the most common shape: one element, inline or not, and no address, so that only
     * operands can be stored beside its row. One check instead of many.
     *
     * @param i index of the request
     * @return whether {@link #lkey(int)}, {@link #addr(int)} and {@link #length(int)} are all its data
     */
    public final boolean isSimple(int i) {
        return (rows[(i << ROW) + 1] & SHAPE & ~INLINE) == ONE_ELEMENT;
    }

    /**
     * Returns the id of a request.
     *
     * @param i index of the request
     * @return its id
     */
    public final long wrId(int i) {
        return rows[i << ROW];
    }

    /**
     * Returns the operation of a request.
     *
     * @param i index of the request
     * @return a {@link WrOpcode} value
     */
    public final int opcode(int i) {
        return (int) rows[(i << ROW) + 1] & OPERATION;
    }

    /**
     * Returns the flags of a request, always without {@link SendFlags#INLINE}: see {@link #isInline(int)}.
     *
     * @param i index of the request
     * @return {@link SendFlags} bits
     */
    public final int sendFlags(int i) {
        return (int) (rows[(i << ROW) + 1] >>> 32);
    }

    /**
     * Returns flags and operation in one read.
     *
     * @param i index of the request
     * @return {@link #sendFlags(int)} in the upper 32 bits, {@link #opcode(int)} in the lower 16; between them
     *     {@link #SIMPLE} if {@link #isSimple(int)} holds and the data is not inline, otherwise another value
     */
    public final long flagsAndOpcode(int i) {
        return rows[(i << ROW) + 1];
    }

    /**
     * Returns the number of elements, of data in memory or of inline data.
     *
     * @param i index of the request
     * @return the number
     */
    public final int numSge(int i) {
        return (int) (rows[(i << ROW) + 1] & MOST_ELEMENTS) >>> ELEMENTS;
    }

    /**
     * Returns whether the elements are inline data, to be copied now.
     *
     * @param i index of the request
     * @return whether they are
     */
    public final boolean isInline(int i) {
        return (rows[(i << ROW) + 1] & INLINE) != 0;
    }

    /**
     * Returns the remote address.
     *
     * @param i index of the request
     * @return the address
     */
    public final long remoteAddr(int i) {
        return rows[(i << ROW) + 2];
    }

    /**
     * Returns the remote key.
     *
     * @param i index of the request
     * @return the key
     */
    public final int rkey(int i) {
        return (int) (rows[(i << ROW) + 3] >>> 32);
    }

    /**
     * Returns the remote key and the word beside it, in one read.
     *
     * @param i index of the request
     * @return {@link #rkey(int)} in the upper 32 bits, {@link #immData(int)} or {@link #invalidateRkey(int)} in the
     *     lower ones
     */
    public final long keys(int i) {
        return rows[(i << ROW) + 3];
    }

    /**
     * Returns the immediate data.
     *
     * @param i index of the request
     * @return the data
     */
    public final int immData(int i) {
        return (int) rows[(i << ROW) + 3];
    }

    /**
     * Returns the key to invalidate.
     *
     * @param i index of the request
     * @return the key
     */
    public final int invalidateRkey(int i) {
        return (int) rows[(i << ROW) + 3];
    }

    /**
     * Returns the local key of the first element.
     *
     * @param i index of the request, with {@link #numSge(int)} not 0
     * @return the key
     */
    public final int lkey(int i) {
        return (int) rows[(i << ROW) + 4];
    }

    /**
     * Returns the length of the first element.
     *
     * @param i index of the request, with {@link #numSge(int)} not 0
     * @return the length, not negative
     */
    public final int length(int i) {
        return (int) (rows[(i << ROW) + 4] >>> 32);
    }

    /**
     * Returns length and local key of the first element, in one read.
     *
     * @param i index of the request, with {@link #numSge(int)} not 0
     * @return {@link #length(int)} in the upper 32 bits, {@link #lkey(int)} in the lower ones
     */
    public final long lengthAndLkey(int i) {
        return rows[(i << ROW) + 4];
    }

    /**
     * Returns the address of the first element.
     *
     * @param i index of the request, with {@link #numSge(int)} not 0
     * @return the address
     */
    public final long addr(int i) {
        return rows[(i << ROW) + 5];
    }

    /**
     * Returns whether the request has a destination: {@link #ah(int)}, {@link #remoteNum(int)} and
     * {@link #remoteKey(int)} are valid.
     *
     * @param i index of the request
     * @return whether it does
     */
    public final boolean isAddressed(int i) {
        return (rows[(i << ROW) + 1] & ADDRESS) != 0;
    }

    /**
     * Returns whether the destination is one of the provider's own transport, set by {@link SendBuilder#vendorAddr}.
     *
     * @param i index of the request
     * @return whether it is
     */
    public final boolean isVendorAddressed(int i) {
        return (rows[(i << ROW) + 1] & VENDOR_ADDRESS) != 0;
    }

    /**
     * Returns whether the request names a shared receive queue: {@link #remoteSrqn(int)} is valid.
     *
     * @param i index of the request
     * @return whether it does
     */
    public final boolean namesSrq(int i) {
        return (rows[(i << ROW) + 1] & SRQ_NUMBER) != 0;
    }

    /**
     * Returns the address handle.
     *
     * @param i index of the request, with {@link #isAddressed(int)}
     * @return the handle, or null if the program gave null
     */
    public final AddressHandle ah(int i) {
        return (AddressHandle) objects[(int) rows[(i << ROW) + 7]];
    }

    /**
     * Returns the number that goes with the address handle.
     *
     * @param i index of the request, with {@link #isAddressed(int)}
     * @return the number of a remote queue pair, or of another destination of the provider's transport
     */
    public final int remoteNum(int i) {
        return (int) numbers[2 * (int) rows[(i << ROW) + 7]];
    }

    /**
     * Returns the key that goes with the address handle.
     *
     * @param i index of the request, with {@link #isAddressed(int)}
     * @return for UD the Q_Key, 32 bits unsigned; otherwise the key of the provider's transport
     */
    public final long remoteKey(int i) {
        return numbers[2 * (int) rows[(i << ROW) + 7] + 1];
    }

    /**
     * Returns the number of the shared receive queue.
     *
     * @param i index of the request, with {@link #namesSrq(int)}
     * @return the number
     */
    public final int remoteSrqn(int i) {
        return (int) rows[(i << ROW) + 7];
    }

    /**
     * Returns the request as an object, for operations that are too rare to be read word by word; the same object each
     * time. It does not contain an address of a provider's own transport; it contains {@link SendFlags#INLINE} if there
     * is inline data.
     *
     * @param i index of the request
     * @return the object, valid until the next call; null if there is not enough memory
     */
    public abstract SendWorkRequest request(int i);

    // ---- read by the list that is created from them

    final long operand(int i, int k) {
        return more[(int) (rows[(i << ROW) + 6] >>> 32) + k];
    }

    /** Returns the first of the two words of an element: length and key; the other is its address. */
    final long element(int i, int k, int word) {
        int row = i << ROW;
        return k == 0 ? rows[row + 4 + word] : more[(int) rows[row + 6] + 2 * (k - 1) + word];
    }

    private int firstObject(int i) {
        return (int) (rows[(i << ROW) + 7] >>> 32);
    }

    final Object object(int i, int k) {
        return objects[firstObject(i) + k];
    }

    final long number(int i, int k) {
        return numbers[2 * firstObject(i) + k];
    }

    // ---- written by the builder

    /** Records the first error; the collected requests are discarded, and no more are added. */
    final void fail(int errno) {
        if (error == 0) {
            error = errno;
        }
        next = FAILED;
    }

    /** Returns whether there are references to drop. */
    final boolean isLittered() {
        return littered;
    }

    /** Discards what is beside the rows. */
    final void clearMore() {
        Arrays.fill(objects, 0, nextObject, null);
        nextMore = 0;
        nextObject = 0;
        littered = false;
    }

    /** Makes room for another row; returns whether it could. */
    final boolean grow() {
        if (next >= OUT) {
            return false;
        }
        long[] larger = larger(rows);
        if (larger == null) {
            return false;
        }
        rows = larger;
        return true;
    }

    /** Returns the position of the last row; negative if there is none. */
    final int lastRow() {
        int at = next - WORDS;
        return at < rows.length ? at : -1;
    }

    /** Stores operands of the last row, or a further element, beside the rows. */
    final boolean addMore(long first, long second) {
        if (nextMore + 2 > more.length) {
            long[] larger = larger(more);
            if (larger == null) {
                return false;
            }
            more = larger;
        }
        littered = true;
        more[nextMore++] = first;
        more[nextMore++] = second;
        return true;
    }

    /** Returns the position at which {@link #addMore} continues. */
    final int moreAt() {
        return nextMore;
    }

    /** Stores an object beside the rows, with its two numbers. */
    final boolean addObject(Object object, long first, long second) {
        int at = nextObject;
        if (at == objects.length) {
            long[] larger = larger(numbers);
            if (larger == null) {
                return false;
            }
            try {
                objects = Arrays.copyOf(objects, larger.length / 2);
            } catch (OutOfMemoryError e) {
                fail(Errno.ENOMEM);
                return false;
            }
            numbers = larger;
        }
        littered = true;
        objects[at] = object;
        numbers[2 * at] = first;
        numbers[2 * at + 1] = second;
        nextObject = at + 1;
        return true;
    }

    /** Returns the position at which {@link #addObject} continues. */
    final int objectAt() {
        return nextObject;
    }

    private long[] larger(long[] words) {
        try {
            if (words.length < MOST) {
                return Arrays.copyOf(words, 2 * words.length);
            }
        } catch (OutOfMemoryError e) {
            // reported as ENOMEM, as data verbs do
        }
        fail(Errno.ENOMEM);
        return null;
    }
}
