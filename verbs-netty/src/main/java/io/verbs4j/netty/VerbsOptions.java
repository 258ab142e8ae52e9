/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import java.util.concurrent.TimeUnit;

/**
 * Options of the event loops of {@link VerbsIoHandler}. Immutable: each {@code with} method returns a copy.
 *
 * <p>The two ends of a connection may have different options.
 */
public final class VerbsOptions {
    /** All defaults. */
    public static final VerbsOptions DEFAULT = new VerbsOptions(null, 64 * 1024, 512L << 20, defaultSpin());

    static final int FIRST_WINDOW = 1;
    static final int MAX_WINDOW = 16;

    private static final int MAX_SPIN = 30;
    private static final int MIN_PROCESSORS = 4;

    private final String device;
    private final int messageSize;
    private final long maxMemory;
    private final int spinMicros;

    private VerbsOptions(String device, int messageSize, long maxMemory, int spinMicros) {
        this.device = device;
        this.messageSize = messageSize;
        this.maxMemory = maxMemory;
        this.spinMicros = spinMicros;
    }

    /** Returns 0 on small machines, because a spinning loop takes a processor that others may need. */
    private static int defaultSpin() {
        return Runtime.getRuntime().availableProcessors() >= MIN_PROCESSORS ? MAX_SPIN : 0;
    }

    /**
     * Returns the name of the device.
     *
     * @return the name; null, the default, means the device named by the system property {@code io.verbs4j.device}, or
     *     else the first with an active port
     */
    public String device() {
        return device;
    }

    /**
     * Sets {@link #device()}.
     *
     * @param value the name, or null
     * @return a copy with this value
     */
    public VerbsOptions withDevice(String value) {
        return new VerbsOptions(value, messageSize, maxMemory, spinMicros);
    }

    /** {@return the size of the buffers that messages are received into, in bytes; 65,536 by default} */
    public int messageSize() {
        return messageSize;
    }

    /**
     * Sets {@link #messageSize()}. Writes are sent in messages of at most the smaller size of both ends. Each
     * connection has one of these buffers, and up to sixteen while it is busy.
     *
     * @param value 4,096 to 1,048,576 bytes
     * @return a copy with this value
     */
    public VerbsOptions withMessageSize(int value) {
        require("messageSize", value, Wire.MIN_BUFFER, Wire.MAX_BUFFER);
        return new VerbsOptions(device, value, maxMemory, spinMicros);
    }

    /** {@return the maximum amount of memory that an event loop registers, in bytes; 512 MiB by default} */
    public long maxMemory() {
        return maxMemory;
    }

    /**
     * Sets {@link #maxMemory()}. Half of it is for receives, which limits the number of connections of a loop. It is
     * allocated as needed, and freed with the loop.
     *
     * @param value 1 MiB to 64 GiB, in bytes
     * @return a copy with this value
     */
    public VerbsOptions withMaxMemory(long value) {
        require("maxMemory", value, 1L << 20, 1L << 36);
        return new VerbsOptions(device, messageSize, value, spinMicros);
    }

    /**
     * Returns how long an event loop polls for completions before it sleeps.
     *
     * @param unit unit of the result
     * @return the time; 30 us by default, 0 on machines with fewer than four processors
     */
    public long spin(TimeUnit unit) {
        return unit.convert(spinMicros, TimeUnit.MICROSECONDS);
    }

    /**
     * Sets {@link #spin}. Spinning saves the time of waking the loop if the next message comes soon.
     *
     * @param value 0 to 30 us
     * @param unit unit of {@code value}
     * @return a copy with this value
     */
    public VerbsOptions withSpin(long value, TimeUnit unit) {
        long micros = unit.toMicros(value);
        require("spin", micros, 0, MAX_SPIN);
        return new VerbsOptions(device, messageSize, maxMemory, (int) micros);
    }

    private static void require(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be " + min + " to " + max);
        }
    }

    @Override
    public String toString() {
        return "device=" + device + " messageSize=" + messageSize + " maxMemory=" + maxMemory + " spin=" + spinMicros
                + " us";
    }
}
