/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.spi;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * What a provider says of a queue that it hands over. What it leaves out stays 0 or null: there is none. A later library
 * may know more fields than a provider fills. Not thread-safe.
 */
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

    /** Creates an instance that says nothing. */
    public RingExport() {}

    /**
     * Says where the send queue is.
     *
     * @param qpNum the queue pair's number
     * @param ops its operations, {@link io.verbs4j.QpCreateSendOps} bits from 0 to 31
     * @param address of the queue
     * @param count of its places, a power of 2
     * @param size of a place, in bytes
     * @param most how many requests may be outstanding so that no queue overflows
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
     * Says where the completion queue is.
     *
     * @param cqn its number
     * @param address of the queue
     * @param count of its places, a power of 2
     * @param size of a place, in bytes
     * @param record where its consumer index goes; 0 where nowhere
     * @param taken how many completions were taken, counted as the vendor's text counts
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
     * Says where the doorbell record is.
     *
     * @param address of the record
     * @param length in bytes
     * @return this
     */
    public RingExport record(long address, int length) {
        record = address;
        recordLength = length;
        return this;
    }

    /**
     * Says where the doorbell register is.
     *
     * @param address of the register
     * @param length in bytes, of both halves where there are two
     * @param halfSize of a register with two halves that are rung in turn, the size of each; else 0
     * @return this
     */
    public RingExport bell(long address, int length, int halfSize) {
        bell = address;
        bellLength = length;
        half = halfSize;
        return this;
    }

    /**
     * Says how the host rings for device code that can't.
     *
     * @param ring tells the device of all descriptors before an index; called by one thread at a time
     * @param always whether device code never rings by itself
     * @return this
     */
    public RingExport proxy(LongConsumer ring, boolean always) {
        proxy = ring;
        needsProxy = always;
        return this;
    }

    /**
     * Says where the send queue stands.
     *
     * @param index of the next request: what the vendor's descriptors count from
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
     * Says that completions may come in another order than their requests.
     *
     * @return this
     */
    public RingExport unordered() {
        unordered = true;
        return this;
    }

    /**
     * Sets a word for the vendor's text.
     *
     * @param value what the text reads as {@code phase}
     * @return this
     */
    public RingExport phase(int value) {
        phase = value;
        return this;
    }

    /**
     * Says what to do once the block is filled, for a device that reads the block itself.
     *
     * @param body called once, before the program sees the block
     * @return this
     */
    public RingExport onStart(Consumer<RingIndices> body) {
        start = body;
        return this;
    }

    /**
     * Says what to do when the program gives the ring back. The queue stays unusable, but can be destroyed.
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

    /** {@return the places of the send queue} */
    public int places() {
        return places;
    }

    /** {@return the size of a place of the send queue, in bytes} */
    public int stride() {
        return stride;
    }

    /** {@return how many requests may be outstanding} */
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

    /** {@return the places of the completion queue} */
    public int cqPlaces() {
        return cqPlaces;
    }

    /** {@return the size of a place of the completion queue, in bytes} */
    public int cqStride() {
        return cqStride;
    }

    /** {@return the size of a half of the doorbell register; 0 where it has none} */
    public int half() {
        return half;
    }

    /** {@return the word for the vendor's text} */
    public int phase() {
        return phase;
    }

    /** {@return the address of the send queue} */
    public long sends() {
        return sends;
    }

    /** {@return the address of the doorbell record; 0 where there is none} */
    public long record() {
        return record;
    }

    /** {@return the length of the doorbell record, in bytes} */
    public int recordLength() {
        return recordLength;
    }

    /** {@return the address of the doorbell register; 0 where there is none} */
    public long bell() {
        return bell;
    }

    /** {@return the length of the doorbell register, in bytes} */
    public int bellLength() {
        return bellLength;
    }

    /** {@return the address of the completion queue} */
    public long cqes() {
        return cqes;
    }

    /** {@return where the consumer index goes; 0 where nowhere} */
    public long cqRecord() {
        return cqRecord;
    }

    /** {@return whether completions may come in another order than their requests} */
    public boolean isUnordered() {
        return unordered;
    }

    /** {@return the index of the next request} */
    public long begin() {
        return begin;
    }

    /** {@return how many completions were taken} */
    public long consumed() {
        return consumed;
    }

    /** {@return whether device code never rings by itself} */
    public boolean needsProxy() {
        return needsProxy;
    }

    /** {@return how the host rings; null where it can't} */
    public LongConsumer proxy() {
        return proxy;
    }

    /** {@return what to do once the block is filled; null if nothing} */
    public Consumer<RingIndices> start() {
        return start;
    }

    /** {@return what to do when the ring is given back; null where nothing} */
    public Runnable release() {
        return release;
    }
}
