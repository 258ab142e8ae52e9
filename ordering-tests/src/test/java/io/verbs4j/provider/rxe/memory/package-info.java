/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What is seen of EFA's rings by the thread at their other end, and by a device. */
package io.verbs4j.provider.rxe.memory;
