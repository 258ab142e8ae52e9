/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The answer to a query that ran beside.
 *
 * @param wrId what the query was given to know its answer by
 * @param out the output of the command; as long as the longest that was asked for on this channel, with zeros behind a shorter one
 */
public record DevxCommandCompletion(long wrId, Mailbox out) {
    /**
     * Looks whether the device has executed the query.
     *
     * @return the output
     * @throws DevxException where the device has refused it; {@link DevxException#opcode} is not known then, and 0
     */
    public Mailbox get() {
        if (out.status() != DevxStatus.OK) {
            throw new DevxException("mlx5dv_devx_get_async_cmd_comp", "query of wrId " + wrId, 0, out);
        }
        return out;
    }
}
