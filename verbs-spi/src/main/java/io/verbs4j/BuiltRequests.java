/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import java.util.Arrays;

/**
 * What a {@link SendBuilder} has gathered, for the provider to read in {@link QueuePair#postBuilt(SendBuilder)}. Since level 3.
 *
 * <p>A request is a row of 8 words, so that one with one element can be read in one go; what few requests have is beside the rows:
 *
 * <pre>
 * word 0  id
 *      1  flags(32)  no elements(1) number of an SRQ(1) address(1) inline(1) vendor's address(1) number of elements(11)  operation(16)
 *      2  remote address
 *      3  remote key(32)  immediate data, or key to invalidate(32)
 *      4  length(32)      local key(32)       of the first element
 *      5  address                             of the first element
 *      6  where its operands are(32)          where its other elements are(32)
 *      7  where its objects are(32)           where its address is, or number of an SRQ(32)
 *
 * more     operands: of an atomic 5, of a flush 2, of an atomic write 1; other elements: 2 each, as words 4 and 5
 * objects  address handle, window, region, completion queue, queue pair
 * numbers  2 for each object: what belongs to it
 * </pre>
 *
 * Words that the operation has no use for hold what was there before. {@code i} counts requests from 0; a method that the operation has no
 * answer for returns anything. The methods neither throw nor allocate, while {@code i} is less than {@link #count()}.
 */
public abstract sealed class BuiltRequests permits SendBuilder {
    /** The bits 16 to 31 of {@link #flagsAndOpcode(int)} of a request with one element in memory, and nothing beside the row for it. */
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

    /** What is not operation and flags. */
    static final long SHAPE = 0xffff_0000L;

    /** More than any row's place: where the next row goes while there is no batch, so that one look tells that and whether there is room. */
    static final int OUT = 1 << 30;

    /** As {@link #OUT}, after an error: one look tells {@code start} that there is neither a batch nor that. */
    static final int FAILED = OUT + WORDS;

    private static final int FEW = 16;
    private static final int MOST = 1 << 24;

    long[] rows = new long[FEW * WORDS];

    /** Where the next row goes; {@link #OUT} before {@code start}, {@link #FAILED} after an error. Each field here that is stored costs each batch: there are few of them. */
    int next = OUT;

    /** The first error of a batch; else 0. */
    int error;

    private long[] more = new long[FEW];
    private int nextMore;
    private Object[] objects = new Object[FEW];
    private long[] numbers = new long[2 * FEW];
    private int nextObject;

    /** Whether there is something beside the rows, and perhaps in a list that was made of them, that is to be forgotten. */
    private boolean littered;

    BuiltRequests() {}

    // ---- read by providers

    /** {@return how many requests there are} */
    public final int count() {
        int end = next;
        return end >= OUT ? 0 : end >>> ROW;
    }

    /**
     * Whether a request is of the commonest shape: one element, inline or not, and no address, so that there is nothing to look for beside the
     * row but what its operation has. One look for many.
     *
     * @param i which request
     * @return whether {@link #lkey(int)}, {@link #addr(int)} and {@link #length(int)} are all its data
     */
    public final boolean isSimple(int i) {
        return (rows[(i << ROW) + 1] & SHAPE & ~INLINE) == ONE_ELEMENT;
    }

    /**
     * What names the request.
     *
     * @param i which request
     * @return its id
     */
    public final long wrId(int i) {
        return rows[i << ROW];
    }

    /**
     * The operation.
     *
     * @param i which request
     * @return a {@link WrOpcode} value
     */
    public final int opcode(int i) {
        return (int) rows[(i << ROW) + 1] & OPERATION;
    }

    /**
     * The flags, never with {@link SendFlags#INLINE}: that is {@link #isInline(int)}.
     *
     * @param i which request
     * @return {@link SendFlags} bits
     */
    public final int sendFlags(int i) {
        return (int) (rows[(i << ROW) + 1] >>> 32);
    }

    /**
     * Flags and operation, in one look.
     *
     * @param i which request
     * @return {@link #sendFlags(int)} in the upper 32 bits, {@link #opcode(int)} in the lower 16; between them {@link #SIMPLE} where
     *     {@link #isSimple(int)} holds and the data are not inline, else something else
     */
    public final long flagsAndOpcode(int i) {
        return rows[(i << ROW) + 1];
    }

    /**
     * How many elements there are, of data in memory or of inline data.
     *
     * @param i which request
     * @return the number
     */
    public final int numSge(int i) {
        return (int) (rows[(i << ROW) + 1] & MOST_ELEMENTS) >>> ELEMENTS;
    }

    /**
     * Whether the elements are inline data, to be copied now.
     *
     * @param i which request
     * @return whether they are
     */
    public final boolean isInline(int i) {
        return (rows[(i << ROW) + 1] & INLINE) != 0;
    }

    /**
     * The remote address.
     *
     * @param i which request
     * @return the address
     */
    public final long remoteAddr(int i) {
        return rows[(i << ROW) + 2];
    }

    /**
     * The remote key.
     *
     * @param i which request
     * @return the key
     */
    public final int rkey(int i) {
        return (int) (rows[(i << ROW) + 3] >>> 32);
    }

    /**
     * The remote key, and what belongs to it, in one look.
     *
     * @param i which request
     * @return {@link #rkey(int)} in the upper 32 bits, {@link #immData(int)} or {@link #invalidateRkey(int)} in the lower ones
     */
    public final long keys(int i) {
        return rows[(i << ROW) + 3];
    }

    /**
     * The immediate data.
     *
     * @param i which request
     * @return the data
     */
    public final int immData(int i) {
        return (int) rows[(i << ROW) + 3];
    }

    /**
     * The key to invalidate.
     *
     * @param i which request
     * @return the key
     */
    public final int invalidateRkey(int i) {
        return (int) rows[(i << ROW) + 3];
    }

    /**
     * The local key of the first element.
     *
     * @param i which request, with {@link #numSge(int)} not 0
     * @return the key
     */
    public final int lkey(int i) {
        return (int) rows[(i << ROW) + 4];
    }

    /**
     * The length of the first element.
     *
     * @param i which request, with {@link #numSge(int)} not 0
     * @return the length, not negative
     */
    public final int length(int i) {
        return (int) (rows[(i << ROW) + 4] >>> 32);
    }

    /**
     * Length and local key of the first element, in one look.
     *
     * @param i which request, with {@link #numSge(int)} not 0
     * @return {@link #length(int)} in the upper 32 bits, {@link #lkey(int)} in the lower ones
     */
    public final long lengthAndLkey(int i) {
        return rows[(i << ROW) + 4];
    }

    /**
     * The address of the first element.
     *
     * @param i which request, with {@link #numSge(int)} not 0
     * @return the address
     */
    public final long addr(int i) {
        return rows[(i << ROW) + 5];
    }

    /**
     * Whether the request says where it goes: {@link #ah(int)}, {@link #remoteNum(int)} and {@link #remoteKey(int)} count.
     *
     * @param i which request
     * @return whether it does
     */
    public final boolean isAddressed(int i) {
        return (rows[(i << ROW) + 1] & ADDRESS) != 0;
    }

    /**
     * Whether that address is of the provider's own transport, by {@link SendBuilder#vendorAddr}.
     *
     * @param i which request
     * @return whether it is
     */
    public final boolean isVendorAddressed(int i) {
        return (rows[(i << ROW) + 1] & VENDOR_ADDRESS) != 0;
    }

    /**
     * Whether the request names a shared receive queue: {@link #remoteSrqn(int)} counts.
     *
     * @param i which request
     * @return whether it does
     */
    public final boolean namesSrq(int i) {
        return (rows[(i << ROW) + 1] & SRQ_NUMBER) != 0;
    }

    /**
     * The address handle.
     *
     * @param i which request, with {@link #isAddressed(int)}
     * @return the handle, or null where the program gave that
     */
    public final AddressHandle ah(int i) {
        return (AddressHandle) objects[(int) rows[(i << ROW) + 7]];
    }

    /**
     * The number that goes with the address handle.
     *
     * @param i which request, with {@link #isAddressed(int)}
     * @return the number of a remote queue pair, or what else the provider's transport sends to
     */
    public final int remoteNum(int i) {
        return (int) numbers[2 * (int) rows[(i << ROW) + 7]];
    }

    /**
     * The key that goes with the address handle.
     *
     * @param i which request, with {@link #isAddressed(int)}
     * @return of UD the Q_Key, 32 bits without sign; else the key of the provider's transport
     */
    public final long remoteKey(int i) {
        return numbers[2 * (int) rows[(i << ROW) + 7] + 1];
    }

    /**
     * The number of the shared receive queue.
     *
     * @param i which request, with {@link #namesSrq(int)}
     * @return the number
     */
    public final int remoteSrqn(int i) {
        return (int) rows[(i << ROW) + 7];
    }

    /**
     * The request as an object, for what is too rare to be read word by word: the same object for each call. An address of a provider's own
     * transport is not in it; {@link SendFlags#INLINE} is, where there are inline data.
     *
     * @param i which request
     * @return the object, valid until the next call; null where there is no memory for it
     */
    public abstract SendWorkRequest request(int i);

    // ---- read by the list that is made of them

    final long operand(int i, int k) {
        return more[(int) (rows[(i << ROW) + 6] >>> 32) + k];
    }

    /** The first of two words of an element: length and key; the other is its address. */
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

    /** Remembers the first error: what was gathered is forgotten, and nothing more is. */
    final void fail(int errno) {
        if (error == 0) {
            error = errno;
        }
        next = FAILED;
    }

    /** Whether there is something to be forgotten that the program gave. */
    final boolean isLittered() {
        return littered;
    }

    /** Forgets what is beside the rows. */
    final void clearMore() {
        Arrays.fill(objects, 0, nextObject, null);
        nextMore = 0;
        nextObject = 0;
        littered = false;
    }

    /** Makes room for another row; whether it could. */
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

    /** Where the last row is; negative where there is none. */
    final int lastRow() {
        int at = next - WORDS;
        return at < rows.length ? at : -1;
    }

    /** Puts operands of the last row, or a further element, beside the rows. */
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

    /** Where {@link #addMore} goes on. */
    final int moreAt() {
        return nextMore;
    }

    /** Puts an object beside the rows, with what belongs to it. */
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

    /** Where {@link #addObject} goes on. */
    final int objectAt() {
        return nextObject;
    }

    private long[] larger(long[] words) {
        try {
            if (words.length < MOST) {
                return Arrays.copyOf(words, 2 * words.length);
            }
        } catch (OutOfMemoryError e) {
            // told as what it is to a data verb
        }
        fail(Errno.ENOMEM);
        return null;
    }
}
