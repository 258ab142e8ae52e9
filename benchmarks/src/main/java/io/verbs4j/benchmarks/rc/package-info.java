/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** An RC queue pair made and connected as any application would, through the public interface only. */
package io.verbs4j.benchmarks.rc;
