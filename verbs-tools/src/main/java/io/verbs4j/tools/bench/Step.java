/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.bench;

import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.traffic.Service;
import java.util.Locale;
import java.util.Map;

/**
 * One measurement: what the client requests from the server.
 *
 * @param operation what is measured
 * @param service transport service
 * @param latency true to time one operation at a time, false to keep as many as fit in flight
 * @param size bytes of an operation
 * @param depth operations in flight at a time
 * @param slots number of messages that fit into the server's memory
 * @param verify whether the data is verified
 */
record Step(Operation operation, Service service, boolean latency, int size, int depth, int slots, boolean verify) {
    /** Most memory for messages on a side. */
    static final int MEMORY = 64 << 20;

    /** Longest message. */
    static final int LONGEST = 8 << 20;

    /** {@return a step with as many slots as fit into the memory} */
    static Step of(Operation operation, Service service, boolean latency, int size, int depth, boolean verify) {
        int room = Math.max(MessageLatency.PLACES, MEMORY / (size + Service.GRH_LENGTH));
        int under = latency ? 1 : Math.min(depth, room / 2);
        return new Step(
                operation,
                service,
                latency,
                size,
                under,
                latency ? MessageLatency.PLACES : Math.min(room, 8 * under),
                verify);
    }

    String toText() {
        return String.format(
                Locale.ROOT,
                "operation=%s service=%s latency=%b size=%d depth=%d slots=%d verify=%b",
                operation,
                service,
                latency,
                size,
                depth,
                slots,
                verify);
    }

    static Step parse(Map<String, String> values) {
        try {
            Step step = new Step(
                    Operation.valueOf(values.get("operation")),
                    Service.valueOf(values.get("service")),
                    Boolean.parseBoolean(values.get("latency")),
                    Integer.parseInt(values.get("size")),
                    Integer.parseInt(values.get("depth")),
                    Integer.parseInt(values.get("slots")),
                    Boolean.parseBoolean(values.get("verify")));
            step.check();
            return step;
        } catch (IllegalArgumentException | NullPointerException e) {
            throw ToolException.failed("this server does not understand the client's request: " + values, e);
        }
    }

    /** Checks the ranges: a server must not trust what comes over the network. */
    private void check() {
        boolean small = size >= 1 && size <= LONGEST && depth >= 1 && slots >= (latency ? MessageLatency.PLACES : 2);
        if (!small
                || !operation.works(service)
                || (long) slots * size > 2L * MEMORY
                || slots > 1 << 20
                || depth > slots) {
            throw new IllegalArgumentException("out of range");
        }
    }

    /** {@return bytes of memory that a side needs} */
    int bufferLength() {
        return Layout.length(this);
    }
}
