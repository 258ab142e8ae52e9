/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** An all-reduce by RDMA writes alone, on whatever devices there are. */
package com.example.collective;
