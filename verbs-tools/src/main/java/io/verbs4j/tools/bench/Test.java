/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

/** How an operation is measured: what each of the two sides does. */
interface Test {

    /**
     * Runs the client's part until the meter has enough; nothing is outstanding afterwards.
     *
     * @return how many operations were posted, including the warm-up
     */
    long client(Meter meter);

    /** Prepares what the client may reach as soon as it is connected: fills memory, posts receives. */
    void prepareServer();

    /**
     * Runs the server's part until the client sends {@code stop}.
     *
     * @return how many operations arrived; as many as were sent if the server can't know
     */
    long server();

    /** {@return the test of a step} */
    static Test of(Side side) {
        Step step = side.step;
        return switch (step.operation()) {
            case SEND -> step.latency() ? new MessageLatency(side) : new SendBandwidth(side);
            case WRITE -> step.latency() ? new WriteLatency(side) : new WriteBandwidth(side);
            case READ -> new ReadTest(side);
            case ATOMIC -> new AtomicTest(side);
        };
    }
}
