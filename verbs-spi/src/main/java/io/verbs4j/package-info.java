/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The verbs: handles, attributes, work requests and constants; the counterpart of C's {@code verbs.h}.
 *
 * <p>Handles: {@link io.verbs4j.Device}, {@link io.verbs4j.Context}, {@link io.verbs4j.ProtectionDomain},
 * {@link io.verbs4j.MemoryRegion}, {@link io.verbs4j.MemoryWindow}, {@link io.verbs4j.CompletionChannel},
 * {@link io.verbs4j.CompletionQueue}, {@link io.verbs4j.QueuePair}, {@link io.verbs4j.SharedReceiveQueue},
 * {@link io.verbs4j.AddressHandle}. Work: {@link io.verbs4j.SendWorkRequest}, {@link io.verbs4j.RecvWorkRequest},
 * {@link io.verbs4j.ScatterGatherElement}, {@link io.verbs4j.WorkCompletion}. The table behind them:
 * {@link io.verbs4j.ContextOps}. Errors: {@link io.verbs4j.VerbsException}, {@link io.verbs4j.Errno}.
 */
package io.verbs4j;
