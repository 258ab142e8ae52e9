/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.spi;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A provider's description of a queue that it hands over. A field that the provider leaves out stays 0 or null, which
 * means "none", so a later library can have more fields than a provider fills. Not thread-safe.
 */
// More than 30 public methods because a provider sets each field of the block, and the library reads each of them.
public final class RingExport {
    private int operations;
    private int number;
    private int places;
    private int stride;
    private int room;
    private int batch;
    private int cqNumber;
    private int cqPlaces;
    private int cqStride;
    private int half;
    private int phase;
    private long sends;
    private long record;
    private int recordLength;
    private long bell;
    private int bellLength;
    private long cqes;
    private long cqRecord;
    private boolean unordered;
    private long begin;
    private long consumed;
    private boolean needsProxy;
    private LongConsumer proxy;
    private Runnable release;
    private Consumer<RingIndices> start;

    /** Creates an empty description. */
    public RingExport() {}

    /**
     * Describes the send queue.
     *
     * @param qpNum number of the queue pair
     * @param ops operations of the queue pair, {@link io.verbs4j.QpCreateSendOps} bits 0 to 31
     * @param address address of the queue
     * @param count number of places, a power of 2
     * @param size size of a place in bytes
     * @param most maximum number of outstanding requests, such that neither queue overflows
     * @return this
     */
    public RingExport sends(int qpNum, int ops, long address, int count, int size, int most) {
        number = qpNum;
        operations = ops;
        sends = address;
        places = count;
        stride = size;
        room = most;
        return this;
    }

    /**
     * Describes the completion queue.
     *
     * @param cqn number of the queue
     * @param address address of the queue
     * @param count number of places, a power of 2
     * @param size size of a place in bytes
     * @param record address of the consumer index; 0 if the device has none
     * @param taken number of completions read so far, as the vendor's text counts them
     * @return this
     */
    public RingExport completions(int cqn, long address, int count, int size, long record, long taken) {
        cqNumber = cqn;
        cqes = address;
        cqPlaces = count;
        cqStride = size;
        cqRecord = record;
        consumed = taken;
        return this;
    }

    /**
     * Describes the doorbell record.
     *
     * @param address address of the record
     * @param length length in bytes
     * @return this
     */
    public RingExport record(long address, int length) {
        record = address;
        recordLength = length;
        return this;
    }

    /**
     * Describes the doorbell register.
     *
     * @param address address of the register
     * @param length length in bytes, including both halves if it has two
     * @param halfSize size of each half of a register with two halves that are rung alternately; 0 for other registers
     * @return this
     */
    public RingExport bell(long address, int length, int halfSize) {
        bell = address;
        bellLength = length;
        half = halfSize;
        return this;
    }

    /**
     * Sets how the host rings for lanes that cannot.
     *
     * @param ring announces all descriptors before an index; called by one thread at a time
     * @param always whether lanes must always leave ringing to the host
     * @return this
     */
    public RingExport proxy(LongConsumer ring, boolean always) {
        proxy = ring;
        needsProxy = always;
        return this;
    }

    /**
     * Sets where the send queue stands.
     *
     * @param index index of the next request; descriptors are counted from here
     * @return this
     */
    public RingExport begin(long index) {
        begin = index;
        return this;
    }

    /**
     * Limits how many descriptors lanes may write between two doorbells.
     *
     * @param most the limit; 0 if there is none
     * @return this
     */
    public RingExport batch(int most) {
        batch = most;
        return this;
    }

    /**
     * Declares that requests may complete in any order.
     *
     * @return this
     */
    public RingExport unordered() {
        unordered = true;
        return this;
    }

    /**
     * Sets a word that only the vendor's text reads.
     *
     * @param value the field {@code phase} of the block
     * @return this
     */
    public RingExport phase(int value) {
        phase = value;
        return this;
    }

    /**
     * Sets an action that runs once the block is filled, for a device that reads the block itself.
     *
     * @param body called once, before the program sees the block
     * @return this
     */
    public RingExport onStart(Consumer<RingIndices> body) {
        start = body;
        return this;
    }

    /**
     * Sets an action that runs when the program closes the ring. The queue can be destroyed then, but not used again.
     *
     * @param body called once
     * @return this
     */
    public RingExport onRelease(Runnable body) {
        release = body;
        return this;
    }

    /** {@return the queue pair's number} */
    public int number() {
        return number;
    }

    /** {@return the queue pair's operations} */
    public int operations() {
        return operations;
    }

    /** {@return the number of places of the send queue} */
    public int places() {
        return places;
    }

    /** {@return the size of a place of the send queue in bytes} */
    public int stride() {
        return stride;
    }

    /** {@return the maximum number of outstanding requests} */
    public int room() {
        return room;
    }

    /** {@return how many descriptors may be written between two doorbells; 0 if any number} */
    public int batch() {
        return batch;
    }

    /** {@return the completion queue's number} */
    public int cqNumber() {
        return cqNumber;
    }

    /** {@return the number of places of the completion queue} */
    public int cqPlaces() {
        return cqPlaces;
    }

    /** {@return the size of a place of the completion queue in bytes} */
    public int cqStride() {
        return cqStride;
    }

    /** {@return the size of a half of the doorbell register; 0 if it has no halves} */
    public int half() {
        return half;
    }

    /** {@return the word that only the vendor's text reads} */
    public int phase() {
        return phase;
    }

    /** {@return the address of the send queue} */
    public long sends() {
        return sends;
    }

    /** {@return the address of the doorbell record; 0 if there is none} */
    public long record() {
        return record;
    }

    /** {@return the length of the doorbell record in bytes} */
    public int recordLength() {
        return recordLength;
    }

    /** {@return the address of the doorbell register; 0 if there is none} */
    public long bell() {
        return bell;
    }

    /** {@return the length of the doorbell register in bytes} */
    public int bellLength() {
        return bellLength;
    }

    /** {@return the address of the completion queue} */
    public long cqes() {
        return cqes;
    }

    /** {@return the address of the consumer index; 0 if the device has none} */
    public long cqRecord() {
        return cqRecord;
    }

    /** {@return whether requests may complete in any order} */
    public boolean isUnordered() {
        return unordered;
    }

    /** {@return the index of the next request} */
    public long begin() {
        return begin;
    }

    /** {@return the number of completions read so far} */
    public long consumed() {
        return consumed;
    }

    /** {@return whether lanes must always leave ringing to the host} */
    public boolean needsProxy() {
        return needsProxy;
    }

    /** {@return how the host rings; null if it cannot} */
    public LongConsumer proxy() {
        return proxy;
    }

    /** {@return the action that runs once the block is filled, or null} */
    public Consumer<RingIndices> start() {
        return start;
    }

    /** {@return the action that runs when the ring is closed, or null} */
    public Runnable release() {
        return release;
    }
}
