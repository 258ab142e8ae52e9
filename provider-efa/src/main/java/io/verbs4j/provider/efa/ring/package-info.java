/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The queues that Java and an EFA share: descriptors written, completions read, doorbells rung. */
package io.verbs4j.provider.efa.ring;
