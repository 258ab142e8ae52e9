/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Creates and connects an RC queue pair as any application would, only through the public interface. */
package io.verbs4j.benchmarks.rc;
