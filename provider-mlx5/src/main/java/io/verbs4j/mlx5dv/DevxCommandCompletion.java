/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The result of an asynchronous query.
 *
 * @param wrId the id that was passed with the query
 * @param out the output of the command; as long as the longest output requested on this channel, a shorter one padded
 *     with zeros
 */
public record DevxCommandCompletion(long wrId, Mailbox out) {
    /**
     * Returns the output, if the device executed the query.
     *
     * @return the output
     * @throws DevxException if the device refused the query; {@link DevxException#opcode} is then unknown and 0
     */
    public Mailbox get() {
        if (out.status() != DevxStatus.OK) {
            throw new DevxException("mlx5dv_devx_get_async_cmd_comp", "query of wrId " + wrId, 0, out);
        }
        return out;
    }
}
