/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

/**
 * Attributes for reading completions one at a time: the argument of {@link CompletionQueue#startPoll(PollCqAttr)}. None
 * is defined yet: the mask is empty.
 *
 * <p>Since level 3. Source: {@code struct ibv_poll_cq_attr}, {@code ibv_create_cq_ex(3)}. Not thread-safe.
 */
public final class PollCqAttr extends InputAttr {
    /** Creates an instance whose masks are empty. */
    public PollCqAttr() {}
}
